import type { FastifyBaseLogger } from 'fastify'
import type { ErrorCode } from '../../../contract/errors.ts'
import { ApiFault, fault } from '../../http/errors.ts'
import { AccountBusy, RendererBusy, UnreadablePdf } from '../pages/renderer.ts'

/**
 * The fault to answer with if pages could not be drawn; `unreadable` is the code for an unreadable
 * PDF.
 */
export function faultOf(error: unknown, log: FastifyBaseLogger, unreadable: ErrorCode): ApiFault {
  if (error instanceof ApiFault) return error
  if (error instanceof AccountBusy) return fault('too_many_requests')
  if (error instanceof RendererBusy) return fault('unavailable')
  // The operator has to repair a damaged or missing file.
  log.error(error, 'preview')
  return fault(error instanceof UnreadablePdf ? unreadable : 'server_error')
}
