import { siteInLetters } from '../../../shared/letters.ts'

/** Sites where the first two parts of an address say whose and what it is. */
const CODE_HOSTS = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org', 'huggingface.co'])

/** First parts that are pages of the site itself. */
const OWN_PAGES = new Set(['about', 'collections', 'explore', 'features', 'marketplace', 'orgs', 'search', 'topics'])

/** Returns a repository as `owner/name`, if an address leads to one or into one. */
export function repositoryOf(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined
  const { hostname, pathname } = new URL(url)
  const [owner = '', name = ''] = pathname.split('/').filter(Boolean)
  if (!CODE_HOSTS.has(hostname.replace(/^www\./, '')) || name === '' || OWN_PAGES.has(owner)) return undefined
  return `${owner}/${name.replace(/\.git$/, '')}`
}

/** Returns where a bookmark is from, as a list shows it: its site, or the repository on a site that has thousands. */
export function siteLabel({ url, domain }: { url: string | null; domain: string | null }): string {
  return repositoryOf(url) ?? siteInLetters(domain ?? '')
}
