import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedText {
  readonly phone: string
  readonly text: string
}

/**
 * A gateway for text messages that records what it takes. `answers` are its first answers: a status,
 * or null for a connection that ends without one. `env` are the settings of a shop that uses it.
 */
export async function smsGateway(answers: (number | null)[] = []) {
  const texts: ReceivedText[] = []
  let asked = 0
  const server = createServer(async (request, response) => {
    const body = await new Response(request as unknown as ReadableStream).text()
    asked++
    const answer = answers.length > 0 ? answers.shift() : 200
    if (answer === 200) texts.push(JSON.parse(body))
    if (answer) response.writeHead(answer).end('{"status":"ok"}')
    else request.socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    texts,
    asked: () => asked,
    /** The code in the last message to a number. */
    codeFor(phone: string): string {
      const text = texts.findLast((each) => each.phone === phone)?.text ?? ''
      const [code] = /\d{6}/.exec(text) ?? []
      if (!code) throw new Error(`no code for ${phone}`)
      return code
    },
    env: {
      SMS_URL: `http://127.0.0.1:${port}/send`,
      SMS_BODY: '{"phone":"{phone}","text":"{text}"}',
      SMS_ACCEPTED: '"ok"',
    },
    close: () => void server.close(),
  }
}
