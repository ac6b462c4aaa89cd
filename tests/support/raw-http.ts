import { request } from 'node:http'

/** One exchange as it was on the wire: header names in lower case, a repeated request header sent repeatedly. */
export interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends exactly these headers, and Node's Host unless one is given. For what `fetch` would tidy up or refuse. */
export function rawRequest(
  url: string,
  options: { method?: string; path?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {}
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: options.method ?? 'GET',
        headers: options.headers,
        agent: false,
        ...(options.path && { path: options.path })
      },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      }
    )
    sent.on('error', reject)
    sent.end(options.body)
  })
}
