import type { Conversation } from '../../../contract/office-conversations.ts'
import { Later } from '../../parts/Later.tsx'
import { useTexts } from './texts.ts'

// Neither is needed to read what a customer wrote.
const loadBeside = async () => (await import('./Beside.tsx')).Beside
const loadCanned = async () => (await import('./Canned.tsx')).Canned

const SHAPES = ['line', 'button', 'line'] as const

export function LaterBeside(given: { customerId: number }) {
  const { loading, failed, retry } = useTexts('office-conversations:beside')
  return (
    <Later
      load={loadBeside}
      give={given}
      loading={{ text: loading, shapes: SHAPES }}
      failed={{ title: failed, retry }}
    />
  )
}

export function LaterCanned(given: {
  customer: Conversation['customer']
  onChoose: (text: string) => void
}) {
  const { loading, failed, retry } = useTexts('office-conversations:canned')
  return (
    <Later
      load={loadCanned}
      give={given}
      loading={{ text: loading, shapes: SHAPES }}
      failed={{ title: failed, retry }}
    />
  )
}
