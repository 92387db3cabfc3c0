/** The page's script: search, and links to operations. The page is readable without it. */
export const SCRIPT = `'use strict';
const search = document.getElementById('search');
const status = document.getElementById('found');
const operations = [...document.querySelectorAll('.operation')].map((article) => ({
  article,
  item: document.querySelector('.side a[href="#' + article.id + '"]').parentElement,
  text: article.querySelector('h3').textContent.toLowerCase() + ' ' + article.querySelector('p').textContent.toLowerCase(),
}));
const sections = document.querySelectorAll('.tag, .side section');

function find() {
  const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  let count = 0;
  for (const { article, item, text } of operations) {
    const isFound = words.every((word) => text.includes(word));
    article.hidden = item.hidden = !isFound;
    if (isFound) count += 1;
  }
  for (const section of sections) section.hidden = !section.querySelector('.operation:not([hidden]), nav li:not([hidden])');
  status.textContent = count + (count === 1 ? ' operation' : ' operations');
}

function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1));
  const { article } = operations.find((operation) => operation.article.id === id) ?? {};
  if (!article) return;
  if (article.hidden) {
    search.value = '';
    find();
  }
  article.querySelector('details').open = true;
  article.scrollIntoView();
}

for (const code of document.querySelectorAll('.request code')) {
  code.textContent = code.textContent.replace(document.body.dataset.origin, location.origin);
}
search.closest('form').hidden = false;
search.addEventListener('input', find);
search.closest('form').addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', openTarget);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === search || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  search.focus();
});
find();
openTarget();
`;
