/** The errors about a teacher's document and its file. */
export const OFFICE_DOCUMENT_ERRORS = {
  document_changed: {
    status: 409,
    message:
      'This document has changed in another window. Reload it to continue; what you wrote here is still on the screen.',
  },
  document_incomplete: {
    status: 409,
    message: 'Something is still missing before this document can go on sale.',
  },
  document_under_review: {
    status: 409,
    message: 'This document is being reviewed. Withdraw it first to change it.',
  },
  file_unchanged: {
    status: 409,
    message: 'This is the same file that buyers already get. Choose the changed one.',
  },
  sample_not_possible: {
    status: 409,
    message:
      'Everybody may look at a third of the pages at most, each once, of those that the file has.',
  },
  document_not_deletable: {
    status: 409,
    message:
      'This document has been published, and people may own it. It can be taken off sale, but not deleted.',
  },
  document_state_changed: {
    status: 409,
    message: 'This is not possible in the document’s current state. Please reload it.',
  },
} as const
