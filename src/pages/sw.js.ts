import worker from 'virtual:karras/worker'

export const prerender = true

export const GET = () => new Response(worker, { headers: { 'content-type': 'text/javascript' } })
