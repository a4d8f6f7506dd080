/* Atalaya shell behaviour. Progressive: every page works with this file blocked.
   No eval, no inline handlers, so script-src 'self' is enough. Texts come from data attributes. */
(() => {
  "use strict";
  const doc = document, root = doc.documentElement;
  const $ = (s, el = doc) => el.querySelector(s), $$ = (s, el = doc) => [...el.querySelectorAll(s)];
  const typing = t => t && (t.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName));
  const plain = ev => !(ev.ctrlKey || ev.metaKey || ev.shiftKey || ev.altKey || ev.button);
  const shown = el => el && el.getClientRects().length > 0;
  const text = name => doc.body.dataset[name] || "";

  // overlays: a link to a page that opens over this one instead; without htmx it stays a link
  function openOver(link, dialog) {
    const body = $(".over", dialog);
    dialog.returnTo = link;
    window.htmx.ajax("GET", link.href, { target: body, swap: "innerHTML" }).then(() => {
      if (body.childElementCount && !dialog.open) dialog.showModal();
    });
  }
  $$("dialog").forEach(d => d.addEventListener("close", () => { if (d.returnTo?.isConnected) d.returnTo.focus(); }));

  doc.addEventListener("click", ev => {
    const t = ev.target, over = sel => t.closest(sel);
    if (over("[data-theme-toggle]")) { ev.preventDefault(); toggleTheme(); }
    const menu = over("[data-menu]");
    if (menu) { ev.preventDefault(); toggleSide(menu); } else if (!over("#side")) closeSide();
    const copy = over("[data-copy]");
    if (copy) navigator.clipboard?.writeText($(copy.dataset.copy).textContent).then(() => toast(copy.dataset.done));
    const ev1 = over("a.ev, a[data-drawer]");
    if (ev1 && plain(ev) && window.htmx && !ev1.closest("dialog") && new URL(ev1.href).pathname.startsWith("/evidence/")) { ev.preventDefault(); openOver(ev1, $("#drawer")); }
    const ask = over("a[data-dialog]");
    if (ask && plain(ev) && window.htmx) { ev.preventDefault(); openOver(ask, $("#dialog")); }
    if (t.matches("dialog")) t.close();
    if (over("[data-close]")) { const d = over("dialog"); if (d) { ev.preventDefault(); d.close(); } }
    if (over("[data-palette]") && plain(ev)) { ev.preventDefault(); openPalette(); }
    if (over("[data-keys]") && plain(ev)) { ev.preventDefault(); $("#keys").showModal(); }
    const dismiss = over("[data-dismiss]");
    if (dismiss) dismiss.closest(".toast").remove();
    $$("details.pick[open]").forEach(d => { if (!d.contains(t)) d.open = false; });
  });

  function toggleTheme() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    doc.cookie = `atalaya_theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
  }
  function toggleSide(button) {
    const open = $("#side").classList.toggle("open");
    button.setAttribute("aria-expanded", open);
    if (open) $("#side a").focus();
  }
  function closeSide() {
    const side = $("#side");
    if (side?.classList.contains("open")) { side.classList.remove("open"); $("[data-menu]").setAttribute("aria-expanded", "false"); }
  }

  // toasts: read out by the live region they sit in, gone after 8 s unless the pointer rests there
  const box = $("#toasts");
  function fade(el) {
    let timer;
    const start = () => { timer = setTimeout(() => el.remove(), 8000); };
    el.addEventListener("pointerenter", () => clearTimeout(timer));
    el.addEventListener("pointerleave", start);
    el.addEventListener("focusin", () => clearTimeout(timer));
    el.addEventListener("focusout", start);
    start();
  }
  function toast(message) {
    if (!message || !box) return;
    const el = doc.createElement("div"), span = doc.createElement("span");
    el.className = "toast"; span.textContent = message; el.append(span); box.append(el); fade(el);
  }
  if (box) {
    $$(".toast", box).forEach(fade);
    new MutationObserver(list => list.forEach(m => m.addedNodes.forEach(n => { if (n.classList?.contains("toast") && n.id) fade(n); }))).observe(box, { childList: true });
  }

  // command palette: groups of links from /search, the page's own navigation while nothing is typed
  const pal = $("#palette");
  let opts = [], at = 0, asked = 0;
  const own = () => [{ title: $("#palette").dataset.go, items: $$(".nav a").map(a => ({ label: $("span", a).textContent, url: a.getAttribute("href"), icon: $("use", a)?.getAttribute("href"), hint: "" })) }];
  function draw(groups) {
    const ul = $("#pal-list"); ul.textContent = ""; opts = []; at = 0;
    for (const group of groups) {
      const head = doc.createElement("li"); head.className = "gh"; head.role = "presentation"; head.textContent = group.title; ul.append(head);
      for (const item of group.items) ul.append(option(item));
    }
    if (!opts.length) { const li = doc.createElement("li"); li.className = "gh"; li.role = "presentation"; li.textContent = pal.dataset.none; ul.append(li); }
    mark();
  }
  function option(item) {
    const li = doc.createElement("li"); li.role = "option"; li.id = "po" + opts.length; li.dataset.href = item.url;
    if (item.icon) {
      const svg = doc.createElementNS("http://www.w3.org/2000/svg", "svg"), use = doc.createElementNS("http://www.w3.org/2000/svg", "use");
      svg.setAttribute("class", "i"); svg.setAttribute("aria-hidden", "true"); use.setAttribute("href", item.icon); svg.append(use); li.append(svg);
    }
    const label = doc.createElement("span"); label.textContent = item.label; li.append(label);
    if (item.hint) { const hint = doc.createElement("span"); hint.className = "h"; hint.textContent = item.hint; li.append(hint); }
    opts.push(li);
    return li;
  }
  function mark() {
    opts.forEach((o, i) => o.setAttribute("aria-selected", i === at));
    const input = $("input", pal);
    if (opts[at]) { input.setAttribute("aria-activedescendant", opts[at].id); opts[at].scrollIntoView({ block: "nearest" }); } else input.removeAttribute("aria-activedescendant");
  }
  function openPalette() { if (!pal || pal.open) return; draw(own()); pal.showModal(); const i = $("input", pal); i.value = ""; i.focus(); }
  let wait;
  pal?.addEventListener("input", ev => {
    const term = ev.target.value.trim(), turn = ++asked;
    clearTimeout(wait);
    if (!term) { draw(own()); return; }
    wait = setTimeout(() => fetch("/palette.json?q=" + encodeURIComponent(term), { headers: { Accept: "application/json" } })
      .then(r => { if (r.status === 401) location.reload(); return r.ok ? r.json() : Promise.reject(r.status); })
      .then(found => { if (turn === asked) draw(found.groups); })
      .catch(() => toast(text("failed"))), 150);
  });
  pal?.addEventListener("keydown", ev => {
    if (opts.length && (ev.key === "ArrowDown" || ev.key === "ArrowUp")) { at = (at + (ev.key === "ArrowDown" ? 1 : -1) + opts.length) % opts.length; mark(); ev.preventDefault(); }
    if (ev.key === "Enter") { ev.preventDefault(); location.href = opts[at] ? opts[at].dataset.href : "/search?q=" + encodeURIComponent($("input", pal).value); }
  });
  pal?.addEventListener("click", ev => { const o = ev.target.closest("[role=option]"); if (o) location.href = o.dataset.href; });

  // chart tips: the text is the column's own <title>, so it exists without this script
  let tip;
  doc.addEventListener("pointerover", ev => {
    const col = ev.target.closest?.(".plot .col");
    if (!col) { if (tip) tip.hidden = true; return; }
    const title = $("title", col);
    if (title) { col.dataset.t = title.textContent; title.remove(); }
    if (!col.dataset.t) return;
    if (!tip) { tip = doc.createElement("div"); tip.className = "tip"; tip.setAttribute("aria-hidden", "true"); doc.body.append(tip); }
    const [head, ...rest] = col.dataset.t.split("\n");
    tip.textContent = ""; tip.hidden = false;
    const b = doc.createElement("b"); b.textContent = head; tip.append(b);
    for (const part of rest) { const s = doc.createElement("span"), i = doc.createElement("i"), [k, v] = part.split("\t"); s.textContent = k; i.textContent = v; s.append(i); tip.append(s); }
    const r = col.getBoundingClientRect(), w = tip.offsetWidth;
    tip.style.left = Math.max(8, Math.min(innerWidth - w - 8, r.x + r.width / 2 - w / 2)) + "px";
    tip.style.top = Math.max(8, r.y - tip.offsetHeight - 8) + "px";
  });

  // keyboard: / search, j k move, Enter opens, g then a letter jumps, ? lists the keys
  let g = 0;
  doc.addEventListener("keydown", ev => {
    if (ev.key === "Escape") { closeSide(); $$("details.pick[open]").forEach(d => { d.open = false; $("summary", d).focus(); }); }
    if (ev.ctrlKey || ev.metaKey) { if (ev.key.toLowerCase() === "k") { ev.preventDefault(); openPalette(); } return; }
    if (ev.altKey || typing(ev.target) || $("dialog[open]") || root.dataset.shortcuts === "off") return;
    if (ev.key === "/") { ev.preventDefault(); openPalette(); return; }
    if (ev.key === "?" && $("#keys")) { ev.preventDefault(); $("#keys").showModal(); return; }
    const jump = g && Date.now() - g < 900 && $(`[data-jump="${CSS.escape(ev.key)}"]`);
    if (jump) { location.href = jump.href; return; }
    g = ev.key === "g" ? Date.now() : 0;
    if (ev.key === "j" || ev.key === "k") move(ev.key === "j" ? 1 : -1);
    const act = /^[a-z]$/.test(ev.key) && $$(`[data-key="${ev.key}"]`).find(shown);
    if (act) { ev.preventDefault(); act.click(); }
  });
  doc.addEventListener("keydown", ev => { if (ev.key === " " && ev.target.matches("a[role=button]")) { ev.preventDefault(); ev.target.click(); } });
  // a button that leads to a form further down puts the cursor into it
  doc.addEventListener("click", ev => {
    const link = ev.target.closest('.detail a[href^="#"]'), form = link && $(link.hash);
    const field = form && $("input:not([type=hidden]), textarea, select", form);
    if (field) { ev.preventDefault(); form.scrollIntoView({ block: "center" }); field.focus(); }
  });
  function move(step) {
    const links = $$("[data-rows] a.nm, [data-rows] > li > a").filter(shown);
    if (!links.length) return;
    links[Math.max(0, Math.min(links.length - 1, links.indexOf(doc.activeElement) + step))].focus();
  }

  // htmx: a list beside its detail, errors as toasts, focus where something changed
  doc.addEventListener("htmx:beforeRequest", ev => {
    const link = ev.detail.elt, target = ev.detail.target;
    if (link.matches?.("a[href]") && target?.id === "detail" && !shown(target)) { ev.preventDefault(); location.href = link.href; }
  });
  doc.addEventListener("htmx:afterSwap", ev => {
    const target = ev.detail.target, link = ev.detail.requestConfig?.elt;
    if (target.id === "detail") {
      const row = link?.closest?.("[data-rows] > li");
      if (row) {
        $$(".sel", row.parentElement).forEach(o => { o.classList.remove("sel"); $("a", o)?.removeAttribute("aria-current"); });
        row.classList.add("sel"); $("a", row).setAttribute("aria-current", "true");
      }
      target.scrollTop = 0;
      ($("[aria-invalid=true]", target) || target).focus();
    }
  });
  function failure(ev) {
    const xhr = ev.detail.xhr, found = xhr?.responseText && new DOMParser().parseFromString(xhr.responseText, "text/html").querySelector("[data-error]");
    toast(found ? found.dataset.error : text("failed"));
  }
  ["htmx:responseError", "htmx:sendError", "htmx:timeout"].forEach(name => doc.addEventListener(name, failure));
  // a page shown again from the browser's memory must not outlive its session
  addEventListener("pageshow", ev => { if (ev.persisted) location.reload(); });
})();
