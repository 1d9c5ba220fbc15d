import type { Person } from '../../../contract/office-people.ts'
import { useTexts } from '../../../islands/parts/island.tsx'
import { StateMark } from '../../kit/tables/cells.tsx'

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
