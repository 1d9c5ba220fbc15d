import * as documents from '../../../stores/office/conversations/later.ts'
import { Mention } from '../../chat/DocumentCard.tsx'
import type { MentionProps } from '../../chat/desk.tsx'

export function OfficeMention(props: MentionProps) {
  return <Mention documents={documents} {...props} />
}
