/** Passes on to `print` only the lines of PostgreSQL's log that report problems. */
export function faultsOnly(print: (line: string) => void): (line: string) => void {
  return (line) => {
    if (/^\s*(?:LOG|NOTICE|DETAIL|HINT|STATEMENT|CONTEXT):/.test(line)) return
    // We closed this connection, and the server stopped before it was gone.
    if (/terminating connection due to administrator command/.test(line)) return
    print(line)
  }
}
