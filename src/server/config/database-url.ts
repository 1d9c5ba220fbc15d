/** A URL of PostgreSQL: what precedes its servers, the servers, and what follows. */
const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^#]*)$/

/** The servers among which libpq may be told to choose; the shop takes one that accepts writes. */
const CHOICE = /([?&])target_session_attrs=(?:any|read-write|primary)(?:&|$)/

/**
 * The URLs of the servers in a `DATABASE_URL`, which may have libpq's form with several of them:
 * `postgres://user@a:5432,b:5432/karras?target_session_attrs=read-write`. Empty if it is wrong.
 */
export function serversIn(url: string): string[] {
  const [, start = '', servers = '', rest = ''] = FORM.exec(url) ?? []
  const end = rest.replace(CHOICE, '$1').replace(/[?&]$/, '')
  const urls = servers.split(',').map((server) => `${start}${server}${end}`)
  const isRight = urls.every((each) => /^postgres(?:ql)?:$/.test(URL.parse(each)?.protocol ?? ''))
  return isRight && !end.includes('target_session_attrs') ? urls : []
}
