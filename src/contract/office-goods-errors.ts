import { BULK_CHANGE_MAX } from '../rules/bulk-change.ts'

/** The errors of the calls that hide ratings and change many documents at once. */
export const OFFICE_GOODS_ERRORS = {
  rating_not_hidden: { status: 409, message: 'This rating is not hidden.' },
  no_documents: { status: 409, message: 'No documents were chosen, or they no longer exist.' },
  too_many_documents: {
    status: 409,
    message: `One change affects at most ${BULK_CHANGE_MAX} documents: narrow the list.`,
  },
  bulk_change_not_found: { status: 404, message: 'This change is unknown.' },
  preview_expired: {
    status: 409,
    message: 'This preview is too old. Please ask for a new one.',
  },
  bulk_change_not_done: { status: 409, message: 'This change cannot be undone now.' },
} as const satisfies Record<string, { status: number; message: string }>
