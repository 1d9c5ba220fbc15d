import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** A parsed mail: its headers, unfolded, and its parts decoded, by media type. */
export interface ReadMail {
  readonly headers: string
  readonly parts: Readonly<Record<string, string>>
}

/** Parses a MIME message with parts in base64 or quoted-printable. */
function readMail(source: string): ReadMail {
  const [head = '', ...rest] = source.split('\r\n\r\n')
  const headers = head.replace(/\r\n\s+/g, ' ')
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1]
  const parts: Record<string, string> = {}
  for (const part of rest.join('\r\n\r\n').split(`--${boundary}`)) {
    const [partHead = '', ...body] = part.split('\r\n\r\n')
    const type = /content-type: ([\w/]+)/i.exec(partHead)?.[1]
    if (type) parts[type] = decode(partHead, body.join('\r\n\r\n'))
  }
  return { headers, parts }
}

function decode(head: string, body: string): string {
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** The mails in the outbox of a `DATA_DIR`, oldest first; without files still being written. */
export async function outbox(dataDir: string): Promise<ReadMail[]> {
  const directory = join(dataDir, 'outbox')
  const names = await readdir(directory).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(
    files.map(async (name) => readMail(await readFile(join(directory, name), 'utf8'))),
  )
}

const TOKEN_LINK = /https?:\/\/\S+\?token=\S+/

export const hasLink = ({ parts }: ReadMail) => TOKEN_LINK.test(parts['text/plain'] ?? '')

/** The link in a mail's plain text. */
export function linkIn({ parts }: ReadMail): URL {
  const [link] = TOKEN_LINK.exec(parts['text/plain'] ?? '') ?? []
  if (!link) throw new Error(`no link in ${JSON.stringify(parts)}`)
  return new URL(link)
}

/** The token of the link in a mail; '' without a mail. */
export const tokenIn = (mail: ReadMail | undefined): string =>
  (mail && linkIn(mail).searchParams.get('token')) ?? ''

/**
 * A mail server that records the mails it receives; `refusals` are its first responses to a
 * recipient.
 */
export async function smtpServer({
  refusals = [] as string[],
  silent = false,
  host = '127.0.0.1',
} = {}) {
  let isSilent = silent
  const mails: ReadMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (isSilent) return
    let data: string | null = null
    let received = ''
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      received += chunk
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end)
        received = received.slice(end + 2)
        if (data !== null && line !== '.') {
          data += `${line.replace(/^\.\./, '.')}\r\n`
        } else if (data !== null) {
          mails.push(readMail(data))
          data = null
          socket.write('250 kept\r\n')
        } else if (/^DATA/i.test(line)) {
          data = ''
          socket.write('354 go on\r\n')
        } else if (/^RCPT/i.test(line)) {
          socket.write(`${refusals.shift() ?? '250 ok'}\r\n`)
        } else if (/^QUIT/i.test(line)) {
          socket.end('221 bye\r\n')
        } else {
          socket.write('250 ok\r\n')
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  return {
    url: `smtp://${host}:${typeof address === 'object' ? address?.port : 0}`,
    mails,
    /** Accepts connections from now on. */
    wake() {
      isSilent = false
      for (const socket of sockets) socket.destroy()
    },
    /** The number of connections so far. */
    connections: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
