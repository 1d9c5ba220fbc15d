import { REPORTED_STATES } from '../../rules/payment-states.ts'
import type { PaymentConfig } from '../config/config.ts'
import { type Noting, noteTrouble, noteWorking } from '../troubles/troubles.ts'
import type { Gateway } from './gateway.ts'
import { konnectGateway } from './konnect.ts'
import { type SandboxOptions, sandboxGateway } from './sandbox.ts'

/** How a request to the gateway ended; the states are those of a payment that it has read. */
export const GATEWAY_RESULTS = ['opened', ...REPORTED_STATES, 'failed'] as const
export type GatewayResult = (typeof GATEWAY_RESULTS)[number]

type GatewayOptions = SandboxOptions &
  Noting & { readonly onResult: (result: GatewayResult) => void }

/**
 * The configured gateway, null for `none`. When it begins to fail, and when it works again, is
 * noted, and said by `report`.
 */
export function openGateway(payment: PaymentConfig, options: GatewayOptions): Gateway | null {
  const gateway = gatewayOf(payment, options)
  if (!gateway) return null
  const noted = async <Result>(
    call: Promise<Result>,
    resultOf: (result: Result) => GatewayResult,
  ): Promise<Result> => {
    let result: Result
    try {
      result = await call
    } catch (error) {
      options.onResult('failed')
      await noteTrouble(options, 'gateway', error instanceof Error ? error.message : String(error))
      throw error
    }
    options.onResult(resultOf(result))
    await noteWorking(options, 'gateway')
    return result
  }
  return {
    provider: gateway.provider,
    open: (request) => noted(gateway.open(request), () => 'opened'),
    read: (reference) => noted(gateway.read(reference), (payment) => payment?.state ?? 'unknown'),
  }
}

/** The gateway of a provider; a further one is added here. */
function gatewayOf(payment: PaymentConfig, options: SandboxOptions): Gateway | null {
  switch (payment.provider) {
    case 'none':
      return null
    case 'sandbox':
      return sandboxGateway(options)
    case 'konnect':
      return konnectGateway(payment)
  }
}
