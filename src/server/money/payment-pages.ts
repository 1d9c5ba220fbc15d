import type { FastifyInstance, FastifyReply } from 'fastify'
import { is } from 'superstruct'
import { paymentReference } from '../../contract/values.ts'
import { DEFAULT_LOCALE, type Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { UNKNOWN_PAYMENT } from '../../rules/typed-numbers.ts'
import type { Deps } from '../deps.ts'
import {
  chooseInSandbox,
  findSandboxPayment,
  SANDBOX_DELAY_MS,
  type SandboxChoice,
} from '../gateways/gateways.ts'
import { findPayment, transferPath } from './payments.ts'
import { settle } from './settle.ts'

/** The form's size limit; the form holds nothing but its button. */
const FORM_MAX_BYTES = 1024

type Addressed = { Params: { reference: string } }

/**
 * Registers the routes behind the site's payment pages: the target of the form on the sandbox's page, and
 * earlier addresses of these pages, which mails and gateways may still have. Browsers navigate to them, so
 * every answer redirects to a page, even after a failure. None of them is part of the contract.
 */
export async function paymentPages(server: FastifyInstance, deps: Deps): Promise<void> {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
    (_, body, done) => done(null, new URLSearchParams(body as string)),
  )
  const transfer = '/api/payments/transfer/:reference'
  const sandbox = '/api/payments/sandbox/:reference'

  server.get<Addressed>(transfer, async ({ params }, reply) => {
    const reference = referenceOrUnknown(params.reference)
    const payment = await findPayment(deps.database.kysely, reference)
    return reply.redirect(transferPath(payment?.locale ?? DEFAULT_LOCALE, reference), 301)
  })

  if (deps.gateway?.provider !== 'sandbox') return
  const timers = new Set<NodeJS.Timeout>()
  server.addHook('onClose', () => {
    for (const timer of timers) clearTimeout(timer)
  })

  server.get<Addressed>(sandbox, async ({ params }, reply) => {
    const reference = referenceOrUnknown(params.reference)
    const payment = await findSandboxPayment(deps.database, reference)
    return reply.redirect(sandboxPath(payment?.locale ?? DEFAULT_LOCALE, reference), 301)
  })

  server.post<Addressed>(
    sandbox,
    {
      errorHandler: (error, { params, log }, reply) => {
        log.warn({ cause: error.message }, 'sandbox')
        return seeOther(reply, sandboxPath(DEFAULT_LOCALE, referenceOrUnknown(params.reference)))
      },
    },
    async ({ params, body }, reply) => {
      const reference = referenceOrUnknown(params.reference)
      const payment = await findSandboxPayment(deps.database, reference)
      const choice = body instanceof URLSearchParams ? body.get('choice') : null
      if (!payment || !isChoice(choice)) {
        return seeOther(reply, sandboxPath(payment?.locale ?? DEFAULT_LOCALE, reference))
      }
      await chooseInSandbox(deps.database, reference, choice, deps.now())
      // Takes the place of a delayed webhook; after a restart the poller finds the due payment.
      if (choice === 'later') {
        const timer = setTimeout(() => {
          timers.delete(timer)
          settle(deps, payment.orderReference).catch((error: unknown) => deps.report(String(error)))
        }, SANDBOX_DELAY_MS)
        timer.unref()
        timers.add(timer)
      }
      const url = new URL(choice === 'refuse' ? payment.failUrl : payment.successUrl)
      return seeOther(reply, url.pathname + url.search)
    },
  )
}

function isChoice(value: string | null): value is SandboxChoice {
  return value === 'pay' || value === 'refuse' || value === 'later'
}

/** Replaces a malformed reference by one that leads to the page for unknown payments. */
function referenceOrUnknown(reference: string): string {
  return is(reference, paymentReference()) ? reference : UNKNOWN_PAYMENT
}

const sandboxPath = (locale: Locale, reference: string) =>
  pathIn(locale, `/payment/sandbox/${reference}`)

const seeOther = (reply: FastifyReply, path: string) => reply.redirect(path, 303)
