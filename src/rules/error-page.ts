/** Where the page about a failure shows the id of the request that failed; empty as it is stored. */
export const EMPTY_REQUEST_ID = '<bdi data-request-id></bdi>'
