/**
 * Thrown when the present state of the shop does not allow the operator's request; `message` says
 * why in one line.
 */
export class Refused extends Error {
  override readonly name = 'Refused'
}
