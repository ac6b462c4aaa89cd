/** Logs in as the dashboard does, by the link a service gives. @returns what each of its requests carries */
export async function logIn({ url, login }: { url: string; login: string }): Promise<Record<string, string>> {
  const token = new URL(login).hash.slice(1)
  const headers = { origin: url, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ token }) })
  const { tabToken } = (await answer.json()) as { tabToken: string }
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, origin: url, 'x-earmark-tab': tabToken }
}
