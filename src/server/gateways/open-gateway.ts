import type { PaymentConfig } from '../config/config.ts'
import type { Gateway } from './gateway.ts'
import { konnectGateway } from './konnect.ts'
import { type SandboxOptions, sandboxGateway } from './sandbox.ts'

/** The configured gateway, null for `none`; a further provider is added here. */
export function openGateway(payment: PaymentConfig, options: SandboxOptions): Gateway | null {
  switch (payment.provider) {
    case 'none':
      return null
    case 'sandbox':
      return sandboxGateway(options)
    case 'konnect':
      return konnectGateway(payment)
  }
}
