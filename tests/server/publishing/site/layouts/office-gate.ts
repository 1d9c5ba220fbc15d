// The small site has no office.
export {}
