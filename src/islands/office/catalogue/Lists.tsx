import './lists.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { LISTS, type ListName } from '../../../rules/catalogue-lists.ts'
import { $lists, listInAddress, loadLists } from '../../../stores/office/catalogue/lists.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { LoadState } from '../../parts/States.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { ListPanel } from './ListPanel.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['button', 'line', 'line', 'line', 'line', 'line'] as const

/** The lists of values for documents, such as subjects and classes, one at a time. */
function Lists() {
  const texts = useTexts('office-catalogue:lists')
  const names = useTexts('office-catalogue:names')
  const lists = useStore($lists, { ssr: notLoaded })
  const [list, setList] = useState<ListName>(LISTS[0])
  useEffect(() => {
    setList(listInAddress())
    loadLists()
  }, [])
  const show = (next: ListName) => {
    setList(next)
    history.replaceState(history.state, '', `?list=${next}`)
  }
  return (
    <div className="lists">
      <p className="soft">{texts.lead}</p>
      <Tabs
        label={texts.choose}
        tabs={LISTS.map((value) => ({ value, text: names[value] }))}
        chosen={list}
        onChoose={show}
      />
      <LoadState
        state={lists}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={loadLists}
      >
        {(value) => <ListPanel key={list} name={list} list={value[list]} />}
      </LoadState>
    </div>
  )
}

export default island(Lists)
