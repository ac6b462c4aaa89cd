/** The frame around every page. */
export const shell = {
  skip: 'Skip to content',
  menu: 'Menu',
  navigation: 'Main',
  findTag: 'Find a tag',
  noTag: 'No tag is named so.',
  hideRail: 'Hide the sidebar',
  railWidth: 'Width of the sidebar',
  all: 'All',
  links: 'Links',
  images: 'Images',
  colors: 'Colors',
  texts: 'Texts',
  tags: 'Tags',
  organizations: 'Organizations',
  trash: 'Trash',
  states: { favorite: 'Favorites', unread: 'Unread', archived: 'Archive' },
  allOrganizations: 'All organizations',
  allTags: 'All tags',
  profile: 'Profile',
  keys: 'API Keys',
  settings: 'Settings',
  logOut: 'Log out',
  logOutTitle: 'Log out?',
  logOutFailed: 'Logging out failed: Earmark does not answer. You are still logged in.',
  title: (page: string) => `${page} · Earmark`,
  lostLog: 'The last changes may be missing',
  lostLogText:
    'The log beside the library, library.sqlite-wal, was missing or empty when Earmark started, though it had been ended while it ran. If you have that file, stop Earmark and put it back.',
  damaged: 'The library file is damaged',
  damagedText:
    'Some bookmarks may be missing or not be found. Export what you see, then restore a backup under Settings, Import & backup: what is ' +
    'there now is kept.',
  notFound: 'Not found',
  nothingThere: 'There is nothing at this address',
  nothingThereText: 'The address may be mistyped. Your bookmarks are not affected.',
  toAll: 'Show all bookmarks'
}
