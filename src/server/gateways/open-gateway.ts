import type { PaymentConfig } from '../config/config.ts'
import { type Noting, noteTrouble, noteWorking } from '../troubles/troubles.ts'
import type { Gateway } from './gateway.ts'
import { konnectGateway } from './konnect.ts'
import { type SandboxOptions, sandboxGateway } from './sandbox.ts'

/**
 * The configured gateway, null for `none`. When it begins to fail, and when it works again, is
 * noted, and said by `report`.
 */
export function openGateway(
  payment: PaymentConfig,
  options: SandboxOptions & Noting,
): Gateway | null {
  const gateway = gatewayOf(payment, options)
  if (!gateway) return null
  const noted = async <Result>(call: Promise<Result>): Promise<Result> => {
    let result: Result
    try {
      result = await call
    } catch (error) {
      await noteTrouble(options, 'gateway', error instanceof Error ? error.message : String(error))
      throw error
    }
    await noteWorking(options, 'gateway')
    return result
  }
  return {
    provider: gateway.provider,
    open: (request) => noted(gateway.open(request)),
    read: (reference) => noted(gateway.read(reference)),
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
