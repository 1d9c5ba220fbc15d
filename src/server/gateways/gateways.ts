export {
  type Gateway,
  GatewayError,
  type GatewayPayment,
  type PaymentRequest,
  requireGateway,
} from './gateway.ts'
export { tryKonnect } from './konnect.ts'
export { GATEWAY_RESULTS, type GatewayResult, openGateway } from './open-gateway.ts'
export {
  chooseInSandbox,
  findSandboxPayment,
  SANDBOX_DELAY_MS,
  type SandboxChoice,
} from './sandbox.ts'
