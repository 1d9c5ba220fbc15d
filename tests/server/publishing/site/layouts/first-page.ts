// This site has no reader.
export {}
