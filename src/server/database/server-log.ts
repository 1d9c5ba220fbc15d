/** What an operator needs of PostgreSQL's log: what went wrong. Passes those lines on to `print`. */
export function faultsOnly(print: (line: string) => void): (line: string) => void {
  return (line) => {
    if (/^\s*(?:LOG|NOTICE|DETAIL|HINT|STATEMENT|CONTEXT):/.test(line)) return
    // A connection that we closed ourselves and that was not quite gone when the server stopped.
    if (/terminating connection due to administrator command/.test(line)) return
    print(line)
  }
}
