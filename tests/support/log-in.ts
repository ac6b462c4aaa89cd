/**
 * Logs in by the link a service gives, as the dashboard does where cookies would reach other programs: Node's own lookup
 * knows no names below `localhost`.
 *
 * @returns what each request of it carries
 */
export async function logIn({ url, login }: { url: string; login: string }): Promise<Record<string, string>> {
  const token = new URL(login).hash.slice(1)
  const headers = { origin: url, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/session`, { method: 'POST', headers, body: JSON.stringify({ token }) })
  const { session } = (await answer.json()) as { session: string }
  return { origin: url, 'x-earmark-session': session }
}
