import * as documents from '../../../stores/office/conversations/later.ts'
import type { MentionProps } from '../../chat/desk.tsx'
import { Mention } from '../../chat/Mention.tsx'

/** A document that a customer's message mentions. */
export function OfficeMention(props: MentionProps) {
  return <Mention documents={documents} {...props} />
}
