/**
 * The errors that the office's calls give besides, by their stable code. In a file of their own: what
 * buyers load knows nothing of them.
 */
export const OFFICE_ERRORS = {
  office_log_in_required: { status: 401, message: 'Please log in to the office.' },
  wrong_role: { status: 403, message: 'This is not for your account.' },
  second_factor_missing: { status: 403, message: 'Please set up your second factor first.' },
} as const satisfies Record<string, { status: number; message: string }>

export type OfficeErrorCode = keyof typeof OFFICE_ERRORS
