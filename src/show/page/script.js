'use strict';
(() => {
  const page = document.documentElement;
  page.classList.add('js');
  const most = 5000;
  const $ = (id) => document.getElementById(id);
  const isOpen = (box) => box.dataset.collapsed === 'false';

  // Reasoning: the attributes of the container and of its button change together, and the page is told.
  function setOpen(box, open) {
    if (isOpen(box) === open) return;
    const button = box.querySelector('[data-ai-reasoning-toggle]');
    const body = $(button.getAttribute('aria-controls'));
    box.dataset.collapsed = String(!open);
    button.setAttribute('aria-expanded', String(open));
    if (open) body.removeAttribute('hidden');
    else body.setAttribute('hidden', 'until-found');
    const payload = { msgId: box.dataset.msgId, expanded: open, tokens: Number(box.dataset.tokenEst) };
    button.dispatchEvent(new CustomEvent('svmai:event', { bubbles: true, detail: { type: 'reasoning_toggle', payload } }));
  }

  function setAll(open) {
    openedBySearch.clear();
    for (const box of document.querySelectorAll('[data-ai-reasoning]')) setOpen(box, open);
    for (const step of document.querySelectorAll('main details, #overview details, nav details')) step.open = open;
  }

  // Search: the texts of the blocks are read once; matches are highlighted without a change to the document.
  let blocks = null;
  let matches = [];
  let current = -1;
  const openedBySearch = new Set();

  // Lower case of the same length, so that places in it are places in the text.
  function fold(text) {
    const lower = text.toLowerCase();
    if (lower.length === text.length) return lower;
    return Array.from(text, (c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c)).join('');
  }

  function readBlocks() {
    const found = document.querySelectorAll('main .text, main .step pre, main .step dd, main .step li, main .step .call, main .step .name, ' +
      'main .in > header .agent, main .in > header .model');
    const seen = Array.from(found).filter((element) => !element.closest('[data-ai-reasoning][hidden]'));
    blocks = Array.from(seen, (element) => ({ element, text: fold(element.textContent) }));
  }

  function ranges(block, starts, length) {
    const walker = document.createTreeWalker(block.element, NodeFilter.SHOW_TEXT);
    const made = [];
    let node = walker.nextNode();
    let before = 0;
    const at = (place, isEnd) => {
      while (node && (isEnd ? before + node.length < place : before + node.length <= place)) {
        before += node.length;
        node = walker.nextNode();
      }
      return node && [node, place - before];
    };
    for (const start of starts) {
      const from = at(start, false);
      const to = at(start + length, true);
      if (!from || !to) break;
      made.push(new StaticRange({ startContainer: from[0], startOffset: from[1], endContainer: to[0], endOffset: to[1] }));
    }
    return made;
  }

  function mark(name, list) {
    if (!window.CSS || !CSS.highlights) return;
    if (list.length) CSS.highlights.set(name, new Highlight(...list));
    else CSS.highlights.delete(name);
  }

  function reveal(element) {
    if (element.closest('summary')) return;
    const box = element.closest('[data-ai-reasoning]');
    if (box && !isOpen(box)) {
      setOpen(box, true);
      openedBySearch.add(box);
    }
    const details = element.closest('details');
    if (details && !details.open) {
      details.open = true;
      openedBySearch.add(details);
    }
  }

  function closeRevealed(stays) {
    for (const box of openedBySearch) {
      if (stays.has(box)) continue;
      openedBySearch.delete(box);
      if (box.localName === 'details') box.open = false;
      else setOpen(box, false);
    }
  }

  // Filters: classes of the page hide what was unchecked. A card with nothing else is hidden, too.
  const off = new Set();
  function isFiltered(element) {
    const message = off.size && element.closest('.m');
    if (!message) return false;
    if (element.closest('.step')) return off.has('t') || !message.checkVisibility();
    if (element.closest('.reasoning')) return off.has('r') || !message.checkVisibility();
    const isText = element.closest('.text');
    if (isText && off.has(message.classList.contains('user') ? 'u' : 'a')) return !message.classList.contains('tool');
    return !message.checkVisibility();
  }
  document.addEventListener('change', (event) => {
    const kind = event.target.dataset.filter;
    if (!kind) return;
    if (event.target.checked) off.delete(kind);
    else off.add(kind);
    page.classList.toggle('no-' + kind, !event.target.checked);
    $('filters').classList.toggle('on', off.size > 0);
    search($('search').value);
  });

  // The contents and the overview stand behind the messages in the file, which is written as these come. For the keyboard
  // and a screen reader they come first, also in a browser that leaves the template of the body alone.
  addEventListener('DOMContentLoaded', () => {
    const main = $('messages');
    for (const part of [$('overview'), document.querySelector('body > nav')]) if (part) main.before(part);
    if (!main.querySelector('.sub')) document.querySelector('[data-filter="g"]').closest('label').hidden = true;
  });

  function search(words) {
    const wanted = fold(words);
    matches = [];
    current = -1;
    let more = false;
    if (wanted) {
      if (!blocks) readBlocks();
      for (const block of blocks) {
        if (isFiltered(block.element)) continue;
        const starts = [];
        for (let i = block.text.indexOf(wanted); i >= 0; i = block.text.indexOf(wanted, i + wanted.length)) {
          if (matches.length + starts.length === most) { more = true; break; }
          starts.push(i);
        }
        if (starts.length) for (const range of ranges(block, starts, wanted.length)) matches.push({ range, element: block.element });
        if (more) break;
      }
    }
    const holders = new Set(matches.map((match) => match.element));
    closeRevealed(new Set(Array.from(holders, (element) => element.closest('[data-ai-reasoning], details'))));
    for (const element of holders) reveal(element);
    mark('found', matches.map((match) => match.range));
    mark('current', []);
    if (matches.length) go(0, more);
    else $('count').textContent = wanted ? 'nothing found' : '';
    $('previous').disabled = $('next').disabled = !matches.length;
  }

  function go(to, more) {
    if (!matches.length) return;
    current = (to + matches.length) % matches.length;
    if (more !== undefined) search.more = more;
    const match = matches[current];
    $('count').textContent = `${current + 1} of ${matches.length}${search.more ? ' or more' : ''}`;
    reveal(match.element);
    mark('current', [match.range]);
    match.element.scrollIntoView({ block: 'nearest' });
    center(match.range);
    // Messages that were not laid out before have their true height now.
    requestAnimationFrame(() => center(match.range));
  }

  function center(range) {
    const place = document.createRange();
    place.setStart(range.startContainer, range.startOffset);
    place.setEnd(range.endContainer, range.endOffset);
    const box = place.getBoundingClientRect();
    if (box.height) window.scrollBy(0, box.top - window.innerHeight / 2);
  }

  // A link within the page: what lies between has its true height only once it was laid out, so that the place moves while
  // it is approached. It is scrolled to until it stands still.
  let arriving = 0;
  function arrive(element) {
    const turn = ++arriving;
    let before = NaN;
    let frames = 0;
    const step = () => {
      if (turn !== arriving || frames++ > 60) return;
      element.scrollIntoView({ block: 'start' });
      const top = element.getBoundingClientRect().top;
      if (top !== before) requestAnimationFrame(step);
      before = top;
    };
    step();
  }
  for (const kind of ['wheel', 'touchstart', 'keydown', 'mousedown']) {
    addEventListener(kind, () => { arriving++; }, { capture: true, passive: true });
  }
  function arriveAtHash() {
    const id = location.hash.slice(1);
    const target = /^[a-z]+[0-9a-z]*$/.test(id) && $(id);
    const around = target && target.closest('details');
    if (around) around.open = true;
    if (target && !target.closest('[hidden]')) arrive(target);
  }
  addEventListener('hashchange', arriveAtHash);
  addEventListener('load', arriveAtHash);

  // Messages one after the other. The current one is that which was chosen last, or the first that is seen.
  let chosen = null;
  function step(by) {
    const all = Array.from(document.querySelectorAll('main .m')).filter((message) => !off.size || message.checkVisibility());
    const under = document.querySelector('.top').getBoundingClientRect().bottom;
    let at = chosen && chosen.isConnected && isSeen(chosen) ? all.indexOf(chosen) + by : -1;
    if (at < 0 && !(chosen && by < 0)) {
      at = all.findIndex((message) => message.getBoundingClientRect().bottom > under + 8);
      if (by < 0) at -= 1;
    }
    if (!all.length) return;
    chosen = all[Math.max(0, Math.min(all.length - 1, at))];
    chosen.tabIndex = -1;
    chosen.focus({ preventScroll: true });
    arrive(chosen);
  }
  function isSeen(element) {
    const box = element.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  }

  // What can be copied: a block of code, a message, the address of a message. Buttons are made where the pointer or the
  // focus is, since a long page would have tens of thousands.
  function button(label, name) {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = 'copy';
    made.dataset.copy = name;
    made.textContent = label;
    return made;
  }
  function offer(event) {
    const target = event.target instanceof Element ? event.target : null;
    const message = target && target.closest('.m');
    const head = message && message.querySelector('.in > header');
    if (head && !head.querySelector('.copy')) head.append(button('Copy', 'message'), button('Link', 'link'));
    const code = target && target.closest('main pre');
    if (code && !code.querySelector('.copy')) code.append(button('Copy', 'code'));
  }
  document.addEventListener('pointerover', offer);
  document.addEventListener('focusin', offer);
  function words(element) {
    const copy = element.cloneNode(true);
    for (const made of copy.querySelectorAll('.copy')) made.remove();
    return copy.textContent;
  }
  async function copy(made) {
    const message = made.closest('.m');
    const text = {
      code: () => words(made.closest('pre').querySelector('code') || made.closest('pre')),
      // Reasoning is copied by nobody who did not ask for it.
      message: () => Array.from(message.querySelectorAll('.in > .text'), (text) => words(text).trim()).join('\n\n'),
      link: () => location.href.split('#')[0] + '#' + message.id,
    }[made.dataset.copy]();
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      done = false;
    }
    const label = made.textContent;
    made.textContent = done ? 'Copied' : 'Not allowed';
    setTimeout(() => { made.textContent = label; }, 1500);
  }

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    // Nothing changes where the page is there already.
    if (link && link.hash === location.hash) arriveAtHash();
    const summary = event.target.closest('summary');
    if (summary) openedBySearch.delete(summary.parentElement);
    const filters = $('filters');
    if (filters.open && !filters.contains(event.target)) filters.open = false;
    const button = event.target.closest('button');
    if (!button) return;
    if (button.dataset.copy) {
      if (button.textContent === 'Copy' || button.textContent === 'Link') copy(button);
      return;
    }
    if (button.hasAttribute('data-ai-reasoning-toggle')) {
      const box = button.closest('[data-ai-reasoning]');
      openedBySearch.delete(box);
      setOpen(box, !isOpen(box));
    } else if (button.id === 'expand') setAll(true);
    else if (button.id === 'collapse') setAll(false);
    else if (button.id === 'previous') go(current - 1);
    else if (button.id === 'next') go(current + 1);
    else if (button.id === 'help') $('keys').showModal();
    else if (button.id === 'close') $('keys').close();
  });

  // A long text scrolls in its box, and the keyboard has to reach it.
  document.addEventListener('toggle', (event) => {
    if (!event.target.open) return;
    for (const box of event.target.querySelectorAll('.step pre')) {
      const text = box.textContent;
      if (text.length > 800 || text.split('\n', 21).length > 20) box.tabIndex = 0;
    }
  }, true);

  // What is printed is whole, and as it was afterwards. What is beside the conversation is printed only if it is open.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = Array.from(document.querySelectorAll('details:not([open], .aside, #filters)'));
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
    closed = [];
  });

  // The search of the browser, or a link to it, has found collapsed reasoning.
  document.addEventListener('beforematch', (event) => {
    const box = event.target.closest('[data-ai-reasoning]');
    if (box) setOpen(box, true);
  });

  // What is hidden from the view is not found either.
  document.addEventListener('without-reasoning', () => {
    blocks = null;
    search($('search').value);
  });

  let waiting = 0;
  document.addEventListener('input', (event) => {
    if (event.target.id !== 'search') return;
    clearTimeout(waiting);
    waiting = setTimeout(() => search(event.target.value), 150);
  });

  document.addEventListener('keydown', (event) => {
    const field = $('search');
    if (event.target === field) {
      if (event.key === 'Enter' && !event.isComposing) {
        event.preventDefault();
        go(event.shiftKey ? current - 1 : current + 1);
      } else if (event.key === 'Escape') {
        field.value = '';
        search('');
      }
      return;
    }
    if (event.key === 'Escape' && $('filters').open) {
      $('filters').open = false;
      $('filters').firstChild.focus();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || $('keys').open || event.target.closest('input, textarea, select')) return;
    const does = {
      '/': () => { field.focus(); field.select(); },
      j: () => step(1),
      k: () => step(-1),
      n: () => go(current + 1),
      p: () => go(current - 1),
      '?': () => $('keys').showModal(),
    }[event.key];
    if (does) {
      event.preventDefault();
      does();
    }
  });
})();
