import type { UnstampableReason } from '../../../rules/stamp.ts'

/** Thrown for a PDF that cannot be stamped without a risk. */
export class Unstampable extends Error {
  readonly reason: UnstampableReason

  constructor(reason: UnstampableReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}
