import workerOff from 'virtual:karras/worker-off'

export const prerender = true

/** Sent as `/sw.js` if the worker is switched off. */
export const GET = () => new Response(workerOff, { headers: { 'content-type': 'text/javascript' } })
