import { useEffect, useState } from 'react'

/**
 * A choice in the page's URL, which history navigation changes too. `read` reads it from the URL;
 * until the browser has done so, the choice is null. The setter writes the URL's query.
 */
export function useChoiceInUrl<T>(
  read: () => T,
  queryOf: (choice: T) => string,
): [choice: T | null, choose: (choice: T) => void] {
  const [choice, setChoice] = useState<T | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` reads the URL, whenever it is called
  useEffect(() => {
    const follow = () => setChoice(read())
    follow()
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const choose = (next: T) => {
    history.pushState(history.state, '', `?${queryOf(next)}`)
    setChoice(next)
  }
  return [choice, choose]
}
