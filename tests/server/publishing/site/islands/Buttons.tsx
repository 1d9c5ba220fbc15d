import { useEffect, useState } from 'react'
import { note } from './note.ts'

export default function Buttons({ name }: { name: string }) {
  const [count, setCount] = useState(0)
  useEffect(() => note(`hydrated ${name}`), [name])
  const press = () => {
    note(`pressed ${name}`)
    setCount(count + 1)
  }
  return (
    <p>
      <button type="button" id={name} onClick={press}>
        {name} {count}
      </button>
      <a id={`${name}-link`} href="/documents/7">
        document 7
      </a>
    </p>
  )
}
