/** What an operator wants and the present state does not allow; `message` says why in a line. */
export class Refused extends Error {
  override readonly name = 'Refused'
}
