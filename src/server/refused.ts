/** The shop's present state does not allow what the operator wants; `message` says why in one line. */
export class Refused extends Error {
  override readonly name = 'Refused'
}
