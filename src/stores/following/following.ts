import { computed } from 'nanostores'
import type { Result } from '../../contract/call.ts'
import type { getNews } from '../../contract/following.ts'
import { followKey, NEWS_CHECK_MS } from '../../rules/following.ts'
import { createLoader } from '../session/loader.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { lacks } from '../shared/features.ts'
import { logOnly, problemOf } from '../shared/problem.ts'
import { $following } from '../user-data/user-data.ts'

export type { News } from '../../contract/following.ts'

const EMPTY = { at: 0, hasNews: false, keys: [] }

/** Asks what the user follows and whether there are news, unless the server has said so lately. */
export async function loadFollowingOnce(): Promise<void> {
  const known = $following.get()
  const age = Date.now() - (known?.at ?? 0)
  if (lacks('following') || (age >= 0 && age < NEWS_CHECK_MS)) return
  const userId = $session.get()?.userId
  try {
    const { follows, hasNews } = await ask(({ following }) => following.getFollowing, {})
    // A press may have been answered first; or another user is logged in.
    if ($following.get() !== known || $session.get()?.userId !== userId) return
    $following.set({ at: Date.now(), hasNews, keys: follows })
  } catch (error) {
    logOnly('following')(error)
  }
}

/** Follows what a key names, or stops following it; returns what to say about it. */
export async function setFollowed(
  key: string,
  isFollowed: boolean,
): Promise<'done' | 'stopped' | 'full' | 'failed'> {
  const userId = $session.get()?.userId
  if (userId === undefined) return 'failed'
  try {
    await ask(({ following }) => (isFollowed ? following.follow : following.unfollow), {
      params: { followed: key },
    })
  } catch (error) {
    return problemOf(error).code === 'follows_full' ? 'full' : 'failed'
  }
  if ($session.get()?.userId === userId) {
    const known = $following.get() ?? EMPTY
    const others = known.keys.filter((each) => each !== key)
    $following.set({ ...known, keys: isFollowed ? [...others, key] : others })
  }
  return isFollowed ? 'done' : 'stopped'
}

const loader = createLoader<Result<typeof getNews>>('news')

/** The news and what is followed; what is no longer followed, here or in another tab, is gone at once. */
export const $news = computed([loader.$state, $following], (state, following) => {
  if (state.phase !== 'ready' || !following) return state
  const isFollowed = (key: string) => following.keys.includes(key)
  const { teachers, subjects } = state.value
  return {
    ...state,
    value: {
      ...state.value,
      teachers: teachers.filter(({ id }) => isFollowed(followKey({ teacherId: id }))),
      subjects: subjects.filter((each) => isFollowed(keyOfSubject(each))),
    },
  }
})

export const keyOfSubject = ({ classe, matiere }: Record<'classe' | 'matiere', { id: number }>) =>
  followKey({ niveauId: classe.id, matiereId: matiere.id })

/** Reads the news, and notes them as seen. Never rejects. */
export function loadNews(): Promise<void> {
  return loader.load(async (userId) => {
    const news = await ask(({ following }) => following.getNews, {})
    const { teachers, subjects, readAt } = news
    if ($session.get()?.userId === userId) {
      const keys = [
        ...teachers.map(({ id }) => followKey({ teacherId: id })),
        ...subjects.map(keyOfSubject),
      ]
      $following.set({ at: Date.now(), hasNews: false, keys })
      ask(({ following }) => following.markNewsSeen, { body: { readAt } }).catch(
        logOnly('seen news'),
      )
    }
    return news
  })
}
