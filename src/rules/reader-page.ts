/**
 * The page of the reader, which is the same for every document: its island reads the id in the address.
 * All of them are stored as that of document 0.
 */
export const READER = '/read/0'
