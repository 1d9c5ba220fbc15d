import type { PaymentConfig } from '../config.ts'
import type { Gateway } from './gateway.ts'
import { konnectGateway } from './konnect.ts'
import { type SandboxOptions, sandboxGateway } from './sandbox.ts'

/** The gateway that the configuration names; another provider is added here (decisions §2). */
export function openGateway(payment: PaymentConfig, options: SandboxOptions): Gateway {
  switch (payment.provider) {
    case 'sandbox':
      return sandboxGateway(options)
    case 'konnect':
      return konnectGateway(payment)
  }
}
