/** Where a server listens; port 0 lets the system choose a free one. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** `http://` and an address, with brackets around an IPv6 address. */
export function originOf({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
