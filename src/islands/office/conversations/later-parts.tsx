import type { Conversation } from '../../../contract/office-conversations.ts'
import { Later } from '../../parts/Later.tsx'
import { useTexts } from './texts.ts'

// Loaded on demand, because reading a conversation needs neither of them.
const loadBeside = async () => (await import('./Beside.tsx')).Beside
const loadCanned = async () => (await import('./Canned.tsx')).Canned

const SHAPES = ['line', 'button', 'line'] as const

export function LaterBeside(props: { customerId: number }) {
  const { loading, failed, retry } = useTexts('office-conversations:beside')
  return (
    <Later
      load={loadBeside}
      give={props}
      loading={{ text: loading, shapes: SHAPES }}
      failed={{ title: failed, retry }}
    />
  )
}

export function LaterCanned(props: {
  customer: Conversation['customer']
  onChoose: (text: string) => void
}) {
  const { loading, failed, retry } = useTexts('office-conversations:canned')
  return (
    <Later
      load={loadCanned}
      give={props}
      loading={{ text: loading, shapes: SHAPES }}
      failed={{ title: failed, retry }}
    />
  )
}
