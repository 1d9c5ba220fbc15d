import type { APIRoute } from 'astro'

/**
 * Does what an editor's route does: invalidates the document's page in Arabic by its path, the
 * others by their tag.
 */
export const GET: APIRoute = async ({ cache, params }) => {
  await cache.invalidate({ path: `/documents/${params.id}` })
  if (params.id !== '7') await cache.invalidate({ tags: [`document:${params.id}`] })
  return Response.json({ changed: params.id })
}
