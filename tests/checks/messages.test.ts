import { expect, test } from 'vitest'
import { read, sourceFiles } from './source.ts'

// A message that is only written into the page may be a thousand pixels away from its reader.
// `parts/Message.tsx` brings it into view and keeps the focus; what stands in place of a part that could
// not be loaded needs neither.
const INSTEAD = /error-state|reader__missing|save-state/

test('what answers an action is a message that comes into view', () => {
  const bare = sourceFiles(/^src\/(?:islands|office)\/.*\.tsx$/)
    .filter((file) => !file.endsWith('parts/Message.tsx'))
    .flatMap((file) =>
      [...read(file).matchAll(/<\w+[^<>]*?role="alert"[^<>]*>/g)]
        .map(([element]) => element)
        .filter((element) => !INSTEAD.test(element) && !element.includes('ref='))
        .map((element) => `${file}: ${element}`),
    )
  expect(bare).toEqual([])
})
