const PROTOCOL = /^postgres(?:ql)?:\/\//

/** The servers among which libpq may be told to choose; the shop takes one that accepts writes. */
const CHOICE = /([?&])target_session_attrs=(?:any|read-write|primary)(?:&|$)/

/**
 * The URLs of the servers in a `DATABASE_URL`, which may have libpq's form with several of them:
 * `postgres://user@a:5432,b:5432/karras?target_session_attrs=read-write`. Empty if it is wrong.
 */
export function serversIn(url: string): string[] {
  const protocol = PROTOCOL.exec(url)?.[0]
  if (protocol === undefined) return []
  const [authority = ''] = url.slice(protocol.length).split(/[/?#]/, 1)
  const account = authority.slice(0, authority.lastIndexOf('@') + 1)
  const rest = url.slice(protocol.length + authority.length)
  const end = rest.replace(CHOICE, '$1').replace(/[?&]$/, '')
  const servers = authority.slice(account.length).split(',')
  const urls = servers.map((server) => `${protocol}${account}${server}${end}`)
  const isRight = urls.every((each) => URL.canParse(each)) && !end.includes('target_session_attrs')
  return isRight ? urls : []
}
