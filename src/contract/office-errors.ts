/**
 * The errors that the office's calls give besides, by their stable code. In a file of their own: what
 * buyers load knows nothing of them.
 */
export const OFFICE_ERRORS = {
  office_log_in_required: { status: 401, message: 'Please log in to the office.' },
  wrong_role: { status: 403, message: 'This is not for your account.' },
  second_factor_missing: { status: 403, message: 'Please set up your second factor first.' },
  bank_account_missing: { status: 409, message: 'Please enter your bank account first.' },
  payout_open: { status: 409, message: 'A payout that you asked for is still waiting.' },
  payout_below_minimum: { status: 409, message: 'This is less than is paid out at once.' },
  payout_not_available: { status: 409, message: 'This is more than is available now.' },
  payout_not_found: { status: 404, message: 'Payout not found.' },
  payout_closed: { status: 409, message: 'This payout has been decided about already.' },
} as const satisfies Record<string, { status: number; message: string }>

export type OfficeErrorCode = keyof typeof OFFICE_ERRORS
