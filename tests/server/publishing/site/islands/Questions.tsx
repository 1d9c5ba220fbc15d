import { useState } from 'react'
import { note } from './note.ts'

export default function Questions() {
  const [name, setName] = useState('')
  const [level, setLevel] = useState('none')
  const [isFree, setFree] = useState(false)
  const [stars, setStars] = useState(0)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        note(`sent ${name} ${level} ${isFree} ${stars}`)
      }}
    >
      <input
        id="name"
        name="name"
        value={name}
        onFocus={() => note('focus')}
        onKeyDown={({ key }) => key === 'ArrowDown' && note('down')}
        onChange={(event) => setName(event.target.value)}
      />
      <select id="level" value={level} onChange={(event) => setLevel(event.target.value)}>
        <option value="none">none</option>
        <option value="primary">primary</option>
      </select>
      <label id="free">
        <input
          type="checkbox"
          checked={isFree}
          onChange={(event) => setFree(event.target.checked)}
        />
        free
      </label>
      {[1, 2, 3].map((n) => (
        <input
          key={n}
          type="radio"
          name="stars"
          id={`stars-${n}`}
          checked={stars === n}
          onChange={() => setStars(n)}
        />
      ))}
      <button type="submit" id="send">
        send
      </button>
    </form>
  )
}
