// This site has no parts that are painted.
export {}
