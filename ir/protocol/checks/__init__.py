"""What a global protocol must hold before it is projected: knowledge, canonical words, versions."""
