import type { Person } from '../../../contract/office-people.ts'
import { useTexts } from '../../parts/island.tsx'
import { StateMark } from '../parts/cells.tsx'

const MARKS = {
  active: 'good',
  blocked: 'bad',
  invited: 'waiting',
  closed: 'off',
  deleted: 'off',
} as const

export function StateOfPerson({ state }: Pick<Person, 'state'>) {
  const texts = useTexts('office-people:states')
  return <StateMark kind={MARKS[state]} text={texts[state]} />
}
