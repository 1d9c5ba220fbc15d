import { Mention } from '../../../islands/chat/DocumentCard.tsx'
import type { MentionProps } from '../../../islands/chat/side.tsx'
import * as documents from './later.ts'

export function OfficeMention(props: MentionProps) {
  return <Mention documents={documents} {...props} />
}
