// This site has no painted parts.
export {}
