import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BROKEN_ANSWERS } from './konnect-faults.ts'

/** Sends JSON, or a response broken in this way. */
export function sendJson(
  response: ServerResponse,
  body: object,
  broken?: (typeof BROKEN_ANSWERS)[number],
): void {
  const text = JSON.stringify(body)
  response.setHeader('content-type', 'application/json')
  switch (broken) {
    case 'hang':
      return
    case 'cut':
      response.destroy()
      return
    case 'error':
      response.writeHead(500).end('<h1>Internal error</h1>')
      return
    case 'garbage':
      response.end(`${text.slice(0, -1)},]`)
      return
    case 'stall':
      response.write(text.slice(0, text.length / 2))
      return
    case 'huge':
      flood(response)
      return
    default:
      response.end(text)
  }
}

/** An error in Konnect's format. It echoes the request, as a careless gateway might. */
export function refuse(
  response: ServerResponse,
  status: number,
  { code, sent }: { code: string; sent: unknown },
): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ errors: [{ code, target: '', message: JSON.stringify(sent) }] }))
}

/** A page with two buttons that post `do=pay` or `do=refuse`. */
export function payPage(response: ServerResponse, amount: number): void {
  const button = (name: string) => `<button name="do" value="${name}">${name}</button>`
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<form method="post">${amount}${button('pay')}${button('refuse')}</form>`)
}

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

/** Writes endlessly, as fast as the client reads. */
function flood(response: ServerResponse): void {
  const block = ' '.repeat(64 * 1024)
  const more = () => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', more)
  more()
}
