import type { FastifyInstance, FastifyReply } from 'fastify'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { SANDBOX_DELAY_MS } from '../../rules/limits.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { PAGE_POLICY } from './page-frame.ts'
import { sandboxPage, transferPage, unknownPage } from './pages.ts'
import { findPayment } from './payments.ts'
import { chooseInSandbox, findSandboxPayment, type SandboxChoice } from './sandbox.ts'
import { settle } from './settle.ts'

/** A form of three buttons. */
const FORM_MAX_BYTES = 1024

type Reference = { Params: { reference: string } }

/**
 * The backend's own payment pages (decisions §8): `/api/payments/transfer/<reference>`, and the
 * sandbox's where it is the gateway. Whoever has a reference, which nobody can guess, sees its page:
 * a link in a mail carries no token. Not calls of section 7, so not part of the contract.
 */
export async function paymentPages(server: FastifyInstance, deps: Deps): Promise<void> {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
    (_, body, done) => done(null, new URLSearchParams(body as string)),
  )

  server.get<Reference>('/api/payments/transfer/:reference', async (request, reply) => {
    const payment = await findPayment(deps.database.kysely, request.params.reference)
    if (payment?.provider !== 'manual')
      return sendPage(reply.code(404), unknownPage(DEFAULT_LOCALE))
    return sendPage(reply, transferPage(payment))
  })

  if (deps.gateway?.provider !== 'sandbox') return
  const later = new Set<NodeJS.Timeout>()
  server.addHook('onClose', () => {
    for (const timer of later) clearTimeout(timer)
  })

  server.get<Reference>('/api/payments/sandbox/:reference', async (request, reply) => {
    const payment = await findSandboxPayment(deps.database, request.params.reference)
    if (!payment) return sendPage(reply.code(404), unknownPage(DEFAULT_LOCALE))
    return sendPage(reply, sandboxPage(payment))
  })

  server.post<Reference>('/api/payments/sandbox/:reference', async (request, reply) => {
    const { reference } = request.params
    const choice = request.body instanceof URLSearchParams ? request.body.get('choice') : null
    if (!isChoice(choice)) throw fault('invalid_input', { fields: { choice: 'invalid' } })
    const payment = await findSandboxPayment(deps.database, reference)
    if (!payment) return sendPage(reply.code(404), unknownPage(DEFAULT_LOCALE))
    await chooseInSandbox(deps.database, reference, choice, deps.now())
    // The delayed webhook, without the network; after a restart the poller finds what is due.
    if (choice === 'later') {
      const timer = setTimeout(() => {
        later.delete(timer)
        settle(deps, payment.order_reference).catch((error: unknown) => deps.report(String(error)))
      }, SANDBOX_DELAY_MS)
      timer.unref()
      later.add(timer)
    }
    const url = new URL(choice === 'refuse' ? payment.fail_url : payment.success_url)
    return reply.redirect(url.pathname + url.search, 303)
  })
}

function isChoice(value: string | null): value is SandboxChoice {
  return value === 'pay' || value === 'refuse' || value === 'later'
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': PAGE_POLICY, 'x-robots-tag': 'noindex' })
    .send(html)
}
