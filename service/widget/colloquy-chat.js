var Qe=new CSSStyleSheet;Qe.replaceSync(`
.text { overflow-wrap: anywhere; }
.text > * { margin-block: 8px; }
.text h4 { font-size: 1rem; }
.text :is(ul, ol) { padding-inline-start: 1.6em; }
.text blockquote { margin-inline: 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--_line); }
.text code { font-family: ui-monospace, monospace; font-size: .92em; }
.text pre { margin: 0; padding: 12px; overflow-x: auto; }
.text .code { display: flex; flex-wrap: wrap; justify-content: end; background: var(--_paper);
  border: 1px solid var(--_line); border-radius: 8px; }
.text .code pre { flex: 1 1 100%; min-width: 0; order: 1; padding-block-start: 0; }
.text .code .copy { border: 0; background: none; font-size: .85rem; color: var(--_accent); }
.text .code .cites { order: 2; padding: 0 8px 8px; }
.text .table { overflow-x: auto; }
.text table { border-collapse: collapse; }
.text :is(th, td) { border: 1px solid var(--_line); padding: 4px 8px; text-align: start;
  vertical-align: top; overflow-wrap: normal; }
.text .host { color: var(--_soft); font-size: .9em; }
.cites { white-space: nowrap; }
.cite { position: relative; min-height: 20px; min-width: 20px; padding: 0 5px; margin-inline-start: 3px;
  border-radius: 6px; font-size: .72rem; line-height: 1.5; vertical-align: super; color: var(--_accent); }
.cite::after { content: ""; position: absolute; inset: -12px -3px; }
:is(.cite, .icon, .chips button):hover { background: var(--_shade); }
.sources { margin: 10px 0 0; padding-block: 4px 0; padding-inline-start: 1.8em;
  border-block-start: 1px solid var(--_line); font-size: .92rem; }
.sources button { border: 0; padding: 2px 6px; background: none; color: var(--_accent); text-align: start;
  text-decoration: underline; }
.nearest { border: 0; margin: 0; list-style: disc; }
[data-refused] .state { font-size: 1rem; color: var(--_ink); }
[data-refused] p { margin-block: 10px 0; color: var(--_soft); }
.help { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-block-start: 8px; }
.contact { display: inline-flex; align-items: center; min-height: 44px; }
.icon { display: inline-flex; align-items: center; justify-content: center; gap: 4px; padding: 8px;
  border-color: transparent; background: none; color: var(--_soft); font-size: .85rem; }
.icon svg { width: 20px; height: 20px; fill: currentColor; flex: none; }
.icon[aria-pressed="true"] { color: var(--_accent); }
.asked { display: flex; justify-content: flex-end; align-items: center; gap: 2px; margin-block: 20px 8px; }
.asked .query { margin: 0; }
.asked .icon { opacity: 0; }
.asked:is(:hover, :focus-within) .icon { opacity: 1; }
@media (hover: none) { .asked .icon { opacity: 1; } }
.tools { margin-block: 6px -8px; margin-inline: -8px; }
.tools .buttons { display: flex; flex-wrap: wrap; }
.feedback { padding-inline: 8px; font-size: .92rem; }
.feedback p { margin-block: 6px; }
.feedback p:empty { display: none; }
.feedback [role="group"] { display: grid; gap: 8px; padding-block-end: 10px; justify-items: start; }
.feedback textarea { width: 100%; }
.chips { display: flex; flex-wrap: wrap; gap: 8px; }
.chips [aria-pressed="true"] { border-color: var(--_accent); box-shadow: inset 0 0 0 1px var(--_accent); }
.related { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 14px; }
.related button { font-size: .92rem; text-align: start; }
.welcome .related { justify-content: center; margin-block-start: 20px; }
.popover { position: fixed; z-index: 5; max-width: min(26rem, calc(100vw - 24px));
  max-height: 45vh; overflow: auto; padding: 10px 12px; border: 1px solid var(--_line);
  border-radius: 10px; background: var(--_paper); box-shadow: 0 6px 24px rgb(0 0 0 / .25);
  font-size: .92rem; }
.popover p { margin-block: 6px 0; }
.passage { white-space: pre-wrap; overflow-wrap: anywhere; }
.support { color: var(--_soft); font-size: .9rem; }
mark { background: var(--_mark); color: inherit; border-radius: 2px; }
.panel { position: relative; container-type: inline-size; }
aside.source { position: absolute; inset: 0; z-index: 4; display: flex; flex-direction: column;
  background: var(--_paper); }
.source-head { display: flex; align-items: center; gap: 8px; padding-block: 8px;
  padding-inline: 16px 8px; border-block-end: 1px solid var(--_line); }
.source-head h3 { flex: 1; margin: 0; font-size: 1rem; overflow-wrap: anywhere; outline-offset: 4px; }
.source-body { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 4px 16px 16px; }
.source-body .trail { color: var(--_soft); font-size: .9rem; }
.source-body .passage { margin: 12px 0; padding: 12px 14px; border-inline-start: 3px solid var(--_accent);
  background: var(--_shade); border-radius: 8px; }
.source-body a { display: inline-flex; align-items: center; min-height: 44px; }
.source-body input[type="search"] { width: 100%; margin-block-start: 12px; }
.sessions { list-style: none; margin: 8px 0; padding: 0; }
.sessions li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; padding-block: 8px 2px;
  border-block-end: 1px solid var(--_line); }
.sessions :is(.title, input) { flex: 1 1 60%; min-width: 0; text-align: start; overflow-wrap: anywhere; }
.sessions .title { border-color: transparent; background: none; padding-inline: 8px; }
.sessions .title:hover { background: var(--_shade); }
.sessions :is([aria-current], [data-pinned] .title) { font-weight: 600; }
.sessions .when { color: var(--_soft); font-size: .85rem; }
.sessions .buttons { flex: 1 1 100%; display: flex; flex-wrap: wrap; }
@container (min-width: 832px) {
  aside.source { inset-inline-start: auto; width: 24rem; border-inline-start: 1px solid var(--_line); }
  .panel[data-source] > :is(header, .connection, .scroll, .below, form) { margin-inline-end: 24rem; }
}
@media print { .tools, .related, aside.source, .asked .icon { display: none; } }
@media (forced-colors: active) {
  mark { forced-color-adjust: none; }
  [aria-pressed="true"] { outline: 2px solid Highlight; }
}
`);var kt="colloquy-ask";function vt(r){let e=new URL(location.href);return e.hash=`${kt}=${encodeURIComponent(r)}`,e.href}function wt(){let r=new URLSearchParams(location.hash.slice(1)).get(kt);return r===null?"":(history.replaceState(history.state,"",location.pathname+location.search),r.slice(0,1e3).trim())}var yt={text:"",before:"",citations:[],supports:[],references:[],steps:[],relatedQuestions:[],skippedReasons:[],groundingScore:void 0,error:void 0},Y={name:"",state:"QUEUED",position:void 0,resets:0,...yt};function H(r){return r==="IN_PROGRESS"||r==="STREAMING"}function N(r){return r==="SUCCEEDED"||r==="FAILED"}function le(r,e){let t=e.response?.answer??{},n=e.reset?{...r,...yt,before:r.text||r.before,resets:r.resets+1}:r,i={...n,name:t.name||n.name,state:t.state??n.state,position:e.position??n.position};return N(i.state)?{...i,...Rn(t),error:e.error}:{...i,...An(n,t)}}function Rn(r){return{before:"",text:r.answerText??"",citations:r.citations??[],supports:r.groundingSupports??[],references:r.references??[],steps:r.steps??[],relatedQuestions:r.relatedQuestions??[],skippedReasons:r.answerSkippedReasons??[],groundingScore:r.groundingScore}}function An(r,e){return{text:r.text+(e.answerText??""),citations:e.citations?[...r.citations,...e.citations]:r.citations,supports:e.groundingSupports??r.supports,references:e.references??r.references,steps:e.steps??r.steps,relatedQuestions:e.relatedQuestions??r.relatedQuestions}}function Tt(r){return r?.details?.find(e=>e.reason)?.reason}function c(r,e={},...t){let n=document.createElement(r);for(let[i,s]of Object.entries(e))s!==void 0&&(/^(?:aria-|data-|role$|part$|dir$|lang$)/.test(i)?n.setAttribute(i,String(s)):n[i]=s);return n.append(...t),n}function R(r){try{let e=new URL(r);return["http:","https:","mailto:","tel:"].includes(e.protocol)?e.href:""}catch{return""}}function F(r,...e){return c("a",{href:r,target:"_blank",rel:"noopener noreferrer"},...e)}function U(){return Array.from(crypto.getRandomValues(new Uint8Array(12)),r=>r.toString(16).padStart(2,"0")).join("")}function C(r){let e="http://www.w3.org/2000/svg",t=document.createElementNS(e,"svg");t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("aria-hidden","true");let n=document.createElementNS(e,"path");return n.setAttribute("d",r),t.append(n),t}var Ve=class extends Error{},ce=class{constructor(e){this.send=e}send;open=new Map;add(e,t,n){let i=U(),s={type:"request",id:i,method:e,path:t,...n===void 0?{}:{body:n}};return new Promise((a,o)=>{let l={frame:s,isSent:!1,resolve:a,reject:o};this.open.set(i,l),l.isSent=this.send(s)})}sendAll(){for(let e of this.open.values())e.isSent=this.send(e.frame)||e.isSent}respond({id:e,status:t,body:n}){this.open.get(e)?.resolve({status:t,body:n}),this.open.delete(e)}refuse({id:e="",error:t}){return this.open.get(e)?.reject(new Error(t?.message)),this.open.delete(e)}lost(){this.fail(({frame:e,isSent:t})=>t&&e.method!=="GET")}failAll(){this.fail(()=>!0)}fail(e){for(let[t,n]of this.open)e(n)&&(this.open.delete(t),n.reject(new Ve))}};var pe=class{constructor(e,t){this.ping=e;this.dead=t}ping;dead;ticker;timer;begin(e){this.end(),this.expect(e),this.ticker=setInterval(()=>this.check(),2e4)}check(){this.ping(),this.timer===void 0&&this.expect(5e3)}heard(){clearTimeout(this.timer),this.timer=void 0}end(){this.heard(),clearInterval(this.ticker)}expect(e){let t=Date.now()+e;this.timer=setTimeout(()=>{this.timer=void 0,Date.now()-t>1e3?this.check():this.dead()},e)}};function St(r){if(r===void 0)return"";try{let e=r.split(".")[1]??"",t=atob(e.replace(/-/g,"+").replace(/_/g,"/")),n=new TextDecoder().decode(Uint8Array.from(t,a=>a.charCodeAt(0))),{iss:i="",sub:s}=JSON.parse(n);return s&&`${i}/${s}`}catch{return}}var Ln="colloquy.v1",Et=[300,700,1500,3e3,6e3,1e4],Pn=3e4,Nn=15e3,_n=3,In=1009,Ze=4401,Lt=4408,Ct=1006,On=4400,Mn=[Ze,Lt,4409,4429],ue=class{constructor(e,t,n){this.url=e;this.listener=t;this.tokenProvider=n;let{signal:i}=this.ends;addEventListener("online",()=>this.networkChanged(),{signal:i}),addEventListener("offline",()=>this.networkChanged(),{signal:i}),addEventListener("pageshow",({persisted:s})=>s&&this.wake(),{signal:i}),document.addEventListener("resume",()=>this.wake(),{signal:i}),document.addEventListener("visibilitychange",()=>document.hidden||this.wake(),{signal:i}),this.connect()}url;listener;tokenProvider;calls=new ce(e=>this.send(e));liveness=new pe(()=>this.send({type:"ping"}),()=>this.drop());work=new Map;socket;attempt=0;timer;renewal;client;failures=0;refusals=0;pause;isReady=!1;isClosed=!1;ends=new AbortController;ask(e){this.work.set(e.id,{frame:e}),this.send(e)&&this.liveness.check()}follow(e,t,n){let i={answer:t,position:n};this.work.set(e,i),this.send(At(e,i))}cancel(e){this.send({type:"cancel",answer:e})}request(e,t,n){return this.calls.add(e,t,n)}forgetAll(){this.work.clear()}retry(){this.refusals=0,this.isReady||this.connect()}close(){this.isClosed=!0,this.calls.failAll(),clearTimeout(this.timer),clearTimeout(this.renewal),this.liveness.end(),this.ends.abort(),this.socket?.close(1e3)}async connect(){clearTimeout(this.timer),this.timer=void 0,this.isReady=!1,this.listener.connectionChanged(navigator.onLine?"connecting":"offline"),this.liveness.begin(Pn);let e=++this.attempt,t;try{t=await this.tokenProvider()?.()}catch{e===this.attempt&&this.lost(Ct);return}if(e!==this.attempt||this.isClosed)return;this.listener.identified(St(t)),this.liveness.begin(Nn);let n=new WebSocket(this.url,Ln);this.socket=n,t!==void 0&&(n.onopen=()=>Rt(n,t)),n.onmessage=({data:i})=>{n===this.socket&&this.receive(JSON.parse(i))},n.onclose=({code:i})=>{n===this.socket&&this.lost(i)}}renewBefore(e){clearTimeout(this.renewal);let t=this.tokenProvider(),n=this.socket;if(!e||!t||!n)return;let i=async()=>{let s=await t();n.readyState===WebSocket.OPEN&&Rt(n,s)};this.renewal=setTimeout(()=>i().catch(()=>{}),e*(700+Math.random()*150))}networkChanged(){navigator.onLine?this.timer?this.connect():(this.listener.connectionChanged(this.isReady?"ready":"connecting"),this.liveness.check()):this.listener.connectionChanged("offline")}wake(){this.timer?this.connect():this.isReady&&this.liveness.check()}drop(){let{socket:e}=this;this.socket=void 0,e?.close(),this.lost(Ct)}lost(e){if(!this.isReady&&e===Ze&&(this.refusals+=1),this.isReady=!1,this.calls.lost(),this.liveness.end(),clearTimeout(this.renewal),this.isClosed)return;let t=this.tokenProvider()?this.refusals>=_n:[Ze,Lt].includes(e);if(e===In||e>=On&&!Mn.includes(e)||t){this.calls.failAll(),this.listener.connectionChanged("refused",e);return}let i=this.pause??Et[Math.min(this.failures,Et.length-1)]??1e4;this.pause=void 0,this.failures+=1,this.listener.connectionChanged(navigator.onLine?"lost":"offline"),this.timer=setTimeout(()=>{this.connect()},i*(.7+Math.random()*.6))}receive(e){switch(this.liveness.heard(),e.type){case"ready":this.ready(e.client,e.expiresIn);break;case"accepted":this.work.has(e.id)&&this.work.set(e.id,{answer:e.answer}),this.listener.accepted(e);break;case"element":{let t=this.work.get(e.id);t&&"answer"in t&&(t.position=e.position),N(e.response?.answer?.state)&&this.work.delete(e.id),this.listener.element(e);break}case"response":this.calls.respond(e);break;case"error":if(this.calls.refuse(e))break;e.id&&this.work.delete(e.id),this.listener.refused(e);break;case"goaway":this.pause=Math.max(Number(e.retryAfter??0)*1e3,200);break}}ready(e,t){if(this.refusals=0,this.renewBefore(t),!this.isReady){this.isReady=!0,this.client??=e,this.failures=0,this.listener.connectionChanged("ready");for(let[n,i]of this.work)this.send("frame"in i?i.frame:At(n,i));this.calls.sendAll()}}send(e){if(!this.isReady)return!1;let t=e.type==="answer"?{...e,client:this.client}:e;return this.socket?.send(JSON.stringify(t)),!0}};function Rt(r,e){r.send(JSON.stringify({type:"auth",token:e}))}function At(r,e){return{type:"resume",id:r,answer:e.answer,...e.position?{after:e.position}:{}}}function Pt(r,e,t,n){return{eventType:"add-feedback",...n?{}:{userPseudoId:r.split("/").pop()},feedback:{feedbackType:t.isHelpful?"LIKE":"DISLIKE",reasons:t.reasons,comment:t.comment,conversationInfo:{session:r,questionIndex:e}}}}var Ke=5,$n=60,Dn=/^projects\/[^/]+\/locations\/[^/]+\/collections\/[^/]+\/dataStores\/[^/]+\/branches\/[^/]+\/documents\/[^/]+$/;function Nt(r,e){let t=R(r);if(!/^https?:/.test(t))return"";let n=qn(e);return n?`${t}${t.includes("#")?"":"#"}:~:text=${n}`:t}function _t(r){return Dn.test(r)}async function It(r,e,t,n){let i=open("","_blank");if(!i)return!1;i.opener=null;let s=r.split("/").map(encodeURIComponent).join("/");try{let{status:a,body:o}=await t.request("POST",`/v1/${s}:mintReadToken`,{});if(a!==200)throw new Error(String(a));let l=new URL(`/documents/${s}`,n.replace(/^ws/,"http"));return l.hash=new URLSearchParams({token:o.token,quote:e}).toString(),i.location.replace(l.href),!0}catch{return i.close(),!1}}function qn(r){let e=r.split(`
`).map(n=>n.replace(/^\s*(?:[-*•]|\d+[.)])\s+/,"").trim()).sort((n,i)=>i.length-n.length)[0]??"",t=e.split(/\s+/).filter(Boolean);return e.length<=$n||t.length<=2*Ke?Ye(e):`${Ye(t.slice(0,Ke).join(" "))},${Ye(t.slice(-Ke).join(" "))}`}function Ye(r){return encodeURIComponent(r).replace(/-/g,"%2D")}var de=20;async function J(r,e,t,n=de){let i=`turnOffset=${-t-n}&turnLimit=${n}`,s=await r.request("GET",`/v1/${e}?includeAnswerDetails=true&${i}`).catch(()=>{});if(s?.status===403||s?.status===404)return"gone";if(s?.status!==200)return"away";let{turns:a=[]}=s.body;return{turns:a.filter(({answer:l})=>l).map(({query:l,answer:u="",detailedAnswer:p})=>{let g=p?.state??"FAILED",h={...Y,name:u,state:g},d=p&&N(g)?le(h,{response:{answer:p}}):h;return{query:l?.text??"",answer:d}}),count:a.length}}async function Ot(r,e,t){for(let n=de;;n*=2){let i=await J(r,e,0,n);if(typeof i=="string"||i.count<n||!t.length||i.turns.some(({answer:s})=>t.includes(s.name)))return i}}async function Mt(r,e,t){let n=await r.request("GET",`/v1/${e}`).catch(()=>{}),{turns:i=[]}=n?.body??{};return i.findIndex(({answer:s})=>s===t)}var he=class{constructor(e,t){this.turns=e;this.to=t}turns;to;opened;get isOpening(){return this.opened!==void 0}flush(){let{waiting:e}=this.turns;if(!this.to.canSend||this.opened||!e.length)return;if(this.to.sessionName){for(let i of e)this.to.send(i);return}let t=new Promise(i=>{this.opened=i}),n=i=>this.open(i,t);(this.to.shared?.alone(n)??n("")).finally(()=>{this.opened=void 0,this.flush()})}settle(){this.opened?.()}async open(e,t){e&&!this.to.sessionName&&await this.to.takeOver(e);let[n]=this.turns.waiting;this.to.sessionName||!n||(this.to.send(n),await t)}};function Je({servingConfig:r}){return r.split("/servingConfigs/")[0]??""}function $t(r,e,t,n,{filter:i,labels:s}){return{type:"answer",id:r,servingConfig:n.servingConfig,request:{query:{text:e},session:t||`${Je(n)}/sessions/-`,answerGenerationSpec:{includeCitations:!0,ignoreAdversarialQuery:!0,ignoreJailBreakingQuery:!0},groundingSpec:{includeGroundingSupports:!0},relatedQuestionsSpec:{enable:!0},...i?{searchSpec:{searchParams:{filter:i}}}:{},...s?{userLabels:s}:{}}}}var zn=50,Bn=5,Xe=50,ge=class{constructor(e,t){this.connection=e;this.store=t}connection;store;async read(e){let t=new URLSearchParams({pageSize:String(zn),turnLimit:String(Bn),orderBy:"is_pinned desc,update_time desc",...e?{pageToken:e}:{}}),n=await this.call("GET",`${this.store}/sessions?${t}`);if(!n)return;let{sessions:i=[],nextPageToken:s=""}=n;return{sessions:i,next:s}}async change(e,t){return this.call("PATCH",`${e}?updateMask=${Object.keys(t).join()}`,t)}async remove(e){return await this.call("DELETE",e)!==void 0}async turns(e){let t=[];for(let n=0;;n+=Xe){let i=await J(this.connection,e,n,Xe);if(typeof i=="string")return;if(t.unshift(...i.turns),i.count<Xe)return t}}async call(e,t,n){let i=await this.connection.request(e,`/v1/${t}`,n).catch(()=>{});return i?.status===200?i.body:void 0}};var fe=class{constructor(e,t){this.key=e;this.channel=new BroadcastChannel(e),this.channel.onmessage=({data:n})=>{this.heardName=n.session,t(n)}}key;channel;heardName="";get name(){try{return localStorage.getItem(this.key)??""}catch{return""}}set name(e){try{e?localStorage.setItem(this.key,e):localStorage.removeItem(this.key)}catch{}}tell(e){this.channel.postMessage(e)}async alone(e){if(!navigator.locks)return e(this.name);let t=!1,n=async o=>(t=!0,await e(o),!0),{locks:i}=navigator;if(await i.request(this.key,{ifAvailable:!0},o=>o&&n(this.name)))return;let a={signal:AbortSignal.timeout(1e4)};try{await i.request(this.key,a,async()=>n(await this.toldName()))}catch{t||await e(this.name)}}toldName(){let e=Date.now()+1e3;return new Promise(t=>{let n=()=>{let i=this.name||this.heardName;i||Date.now()>e?t(i):setTimeout(n,20)};n()})}close(){this.channel.close()}};var me=class{listener;all=new Map;get size(){return this.all.size}get(e){return this.all.get(e)}values(){return this.all.values()}get waiting(){return this.where(({state:e})=>e==="QUEUED")}get running(){return this.where(({state:e,name:t})=>H(e)&&t!=="")}get names(){return this.where(({name:e})=>e!=="").map(({answer:e})=>e.name)}get isSending(){return this.where(({state:e})=>e==="SENT").length>0}add(e){return this.all.set(e.id,e),this.listener?.turnAdded(e),e}addBefore(e){this.all=new Map([...e.map(t=>[t.id,t]),...this.all]),this.listener?.earlierAdded(e)}change(e,t){e.answer=t,this.listener?.turnChanged(e)}remove(e){this.all.delete(e.id),this.listener?.turnRemoved(e)}clear(){this.all.clear(),this.listener?.emptied()}unknown(e){let t=new Set(this.names);return e.filter(({answer:n})=>!t.has(n.name)).map(n=>({id:U(),...n}))}where(e){return[...this.all.values()].filter(({answer:t})=>e(t))}};async function Dt(r,e){let n=`widgetConfigs/default_search_widget_config?languageCode=${encodeURIComponent(document.documentElement.lang||navigator.language)}`,i=await r.request("GET",`/v1/${e}/${n}`).catch(()=>{});if(i?.status!==200)return;let{displayName:s,...a}=i.body;return s&&!a.name?.includes(`/${s}/`)?{...a,displayName:s}:a}var Hn=3e3,xe=class{constructor(e,t){this.place=e;this.tokenProvider=t;this.connection=new ue(e.socket,{identified:n=>this.identified(n),connectionChanged:(n,i)=>this.connectionChanged(n,i),accepted:n=>this.accepted(n),element:n=>this.element(n),refused:n=>this.refused(n)},t),Dt(this.connection,this.store).then((n={})=>{this.config=n,this.listener?.configured()})}place;tokenProvider;turns=new me;hasEarlier=!1;context={};config={};connectionState="connecting";closeCode;listener;sessionName="";shared;subject;mayJoin=!0;isRecalling=!1;outbox=new he(this.turns,this);known=0;isBehind=!1;connection;listen(e){this.listener=this.turns.listener=e}openDocument(e,t){return It(e,t,this.connection,this.place.socket)}get isAnswering(){return this.turns.running.length>0}waitsFor(e){return e.answer.state==="QUEUED"&&this.connectionState!=="ready"?"connection":this.turns.running.indexOf(e)>0?"answer":"nothing"}ask(e){let t=this.turns.add({id:U(),query:e,answer:Y});return this.outbox.flush(),t}takeBack(e){e.answer.name&&this.connection.cancel(e.answer.name),e.answer.state==="QUEUED"&&this.turns.remove(e)}stop(){let[e]=this.turns.running;e&&this.connection.cancel(e.answer.name)}retry(){this.connection.retry()}async rate(e,t){let{name:n}=e.answer,i=this.hasEarlier?await Mt(this.connection,this.sessionName,n):this.turns.names.indexOf(n),s=Pt(this.sessionName,i,t,this.tokenProvider()!==void 0);return(await this.connection.request("POST",`/v1/${this.store}/userEvents:write`,s).catch(()=>{}))?.status===200}startNew(){this.mayJoin=!1,this.forget(),this.shared&&(this.shared.name="")}get sessions(){return this.tokenProvider()&&new ge(this.connection,this.store)}openSession(e){e!==this.sessionName&&(this.startNew(),this.shared&&(this.shared.name=e),this.join(e))}async readEarlier(){this.hasEarlier&&!this.isRecalling&&await this.recall(this.sessionName)}close(){this.connection.close(),this.shared?.close()}get store(){return Je(this.place)}connectionChanged(e,t){this.connectionState=e,this.closeCode=t,this.listener?.connectionChanged(),e==="ready"&&(this.outbox.flush(),this.turns.size&&this.catchUp())}get canSend(){return this.connectionState==="ready"&&!this.isRecalling}send(e){this.turns.change(e,{...e.answer,state:"SENT"});let{place:t,sessionName:n,context:i}=this;this.connection.ask($t(e.id,e.query,n,t,i))}accepted({id:e,answer:t,session:n}){let i=this.turns.get(e);if(!i)return;n&&(this.sessionName=n),n&&this.shared&&(this.shared.name=n),this.outbox.settle();let s=!i.answer.name,a=i.answer.state==="SENT"?"IN_PROGRESS":i.answer.state;this.turns.change(i,{...i.answer,state:a,name:t}),s&&(this.known+=1),s&&n&&this.shared?.tell({session:n,answer:t}),this.isBehind&&this.catchUp()}element(e){let t=this.turns.get(e.id);t&&this.turns.change(t,le(t.answer,e))}refused({id:e,error:t}){let n=e?this.turns.get(e):void 0;n&&t?.status==="NOT_FOUND"&&this.sessionName&&!n.answer.name?(this.sessionName="",this.mayJoin=!1,this.turns.change(n,Y),this.outbox.flush()):n&&this.turns.change(n,{...n.answer,state:"FAILED",error:t}),this.outbox.settle()}identified(e){if(this.shared&&e===this.subject||(this.subject!==void 0&&this.forget(),this.subject=e,this.shared?.close(),this.shared=void 0,e===void 0))return;let t=`colloquy:${this.place.socket}:${this.store}:${e}`;this.shared=new fe(t,i=>this.heard(i));let{name:n}=this.shared;n&&this.join(n)}forget(){this.sessionName="",this.hasEarlier=!1,this.isBehind=!1,this.connection.forgetAll(),this.known=0,this.turns.clear(),this.outbox.settle()}async takeOver(e){this.mayJoin&&await this.join(e)}async join(e){this.sessionName=e;let t=await this.recall(e);this.sessionName===e&&(t==="away"?setTimeout(()=>this.sessionName===e&&void this.join(e),Hn):t==="gone"&&(this.sessionName="",this.shared?.name===e&&(this.shared.name="")),this.outbox.flush())}async recall(e){this.isRecalling=!0;let t=await J(this.connection,e,this.known);if(this.isRecalling=!1,this.sessionName!==e||typeof t=="string")return t;this.known+=t.count,this.hasEarlier=t.count===de;let n=this.turns.unknown(t.turns);return this.turns.addBefore(n),this.follow(n),t}heard({session:e}){!this.sessionName&&this.mayJoin&&!this.outbox.isOpening?this.join(e):e===this.sessionName&&this.catchUp()}async catchUp(){let{sessionName:e}=this;if(!e||this.isRecalling)return;let t=await Ot(this.connection,e,this.turns.names);if(e!==this.sessionName||typeof t=="string"||(this.isBehind=this.turns.isSending,this.isBehind))return;let n=this.turns.unknown(t.turns);this.known+=n.length;for(let i of n)this.turns.add(i);this.follow(n)}follow(e){for(let{id:t,answer:n}of e)H(n.state)&&this.connection.follow(t,n.name)}};var et=new CSSStyleSheet;et.replaceSync(`
:host {
  --_ink: var(--colloquy-ink, #17202b);
  --_soft: var(--colloquy-soft, #566272);
  --_paper: var(--colloquy-paper, #ffffff);
  --_shade: var(--colloquy-shade, #f2f5f8);
  --_line: var(--colloquy-line, #c3cdd8);
  --_accent: var(--colloquy-accent, #0b5fad);
  --_accent-ink: var(--colloquy-accent-ink, #ffffff);
  --_bad: var(--colloquy-bad, #a3261b);
  --_mark: var(--colloquy-mark, #fff3b0);
  --_radius: var(--colloquy-radius, 14px);
  --_font: var(--colloquy-font, 16px/1.5 system-ui, sans-serif);
  display: flex; flex-direction: column; min-height: 0; height: 100%;
  font: var(--_font); color: var(--_ink); background: var(--_paper); color-scheme: light dark;
}
:host([form="page"]) { height: 100dvh; }
:host(:not([form])), :host([form="inline"]) { min-height: 20rem; }
:host([form="launcher"]) { display: contents; }
.launcher { position: fixed; z-index: 2147483000; inset-block-end: max(20px, env(safe-area-inset-bottom));
  inset-inline-end: 20px; font: var(--_font); color: var(--_ink); }
:host([position="start"]) .launcher { inset-inline: 20px auto; }
.bubble { position: relative; display: grid; place-items: center; width: 60px; height: 60px;
  padding: 0; border-radius: 50%; border-color: transparent; background: var(--_accent);
  margin-inline-start: auto; box-shadow: 0 4px 16px rgb(0 0 0 / .3); }
:host([position="start"]) .bubble { margin-inline: 0 auto; }
.bubble svg { width: 28px; height: 28px; fill: var(--_accent-ink); }
.unread { position: absolute; inset-block-start: 0; inset-inline-end: 0; width: 16px; height: 16px;
  border-radius: 50%; background: var(--_bad); border: 2px solid var(--_paper); }
.dialog { display: flex; width: min(26rem, calc(100vw - 40px)); height: min(42rem, calc(100dvh - 120px));
  margin-block-end: 12px; overflow: hidden; border: 1px solid var(--_line); border-radius: var(--_radius);
  background: var(--_paper); box-shadow: 0 8px 40px rgb(0 0 0 / .3); }
@media (max-width: 30rem) {
  .dialog { position: fixed; inset: 0; width: auto; height: auto; margin: 0; border: 0; border-radius: 0; }
  .dialog:not([hidden]) + .bubble { position: fixed; inset-block-start: 8px; inset-inline-end: 8px;
    width: 44px; height: 44px; }
}
:host([hidden]) { display: none; }
@media (prefers-color-scheme: dark) {
  :host {
    --_ink: var(--colloquy-ink, #e8edf3);
    --_soft: var(--colloquy-soft, #a9b5c3);
    --_paper: var(--colloquy-paper, #11161c);
    --_shade: var(--colloquy-shade, #1b232c);
    --_line: var(--colloquy-line, #465463);
    --_accent: var(--colloquy-accent, #7ab8f5);
    --_accent-ink: var(--colloquy-accent-ink, #0b1620);
    --_bad: var(--colloquy-bad, #ff9d93);
    --_mark: var(--colloquy-mark, #5a4b00);
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, textarea, input { font: inherit; color: inherit; }
input { min-height: 44px; padding: 8px 12px; border: 1px solid var(--_line); border-radius: 10px; background: var(--_paper); }
button { cursor: pointer; border: 1px solid var(--_line); border-radius: 10px;
  background: var(--_paper); padding: 8px 14px; min-height: 44px; min-width: 44px; }
button:disabled { opacity: .55; cursor: default; }
:is(button, textarea, input, a, summary, pre, .table):focus-visible {
  outline: 3px solid var(--_accent); outline-offset: 1px; }
a { color: var(--_accent); }
.panel { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; }
header { display: flex; gap: 8px; align-items: center; padding: 8px 16px;
  border-block-end: 1px solid var(--_line); }
h2 { font-size: 1.1rem; margin: 0; flex: 1; }
.connection { padding: 4px 16px; font-size: .9rem; color: var(--_soft); }
.connection:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
.connection button { color: var(--_ink); }
.connection[data-state="lost"], .connection[data-state="offline"],
.connection[data-state="refused"] { color: var(--_bad); }
.scroll { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 16px; }
.turns > li { content-visibility: auto; contain-intrinsic-size: auto 240px; }
.earlier { display: block; margin: 0 auto 12px; }
.below { position: relative; align-self: center; height: 44px; margin-block: -52px 8px; z-index: 3;
  box-shadow: 0 2px 10px rgb(0 0 0 / .25); }
.text.before { opacity: .6; }
.turns { list-style: none; margin: 0 auto; padding: 0; max-width: 46rem; }
.query { margin-block: 20px 8px; margin-inline: auto 0; width: fit-content; max-width: 85%;
  padding: 8px 14px; border-radius: var(--_radius); background: var(--_accent);
  color: var(--_accent-ink); white-space: pre-wrap; overflow-wrap: anywhere; }
article { padding: 12px 14px; border-radius: var(--_radius); background: var(--_shade); }
.state { font-size: .9rem; color: var(--_soft); }
form { display: flex; gap: 8px; align-items: flex-end;
  padding: 12px 16px max(12px, env(safe-area-inset-bottom)); border-block-start: 1px solid var(--_line); }
textarea { flex: 1; min-width: 0; resize: none; min-height: 44px; max-height: 30vh;
  padding: 9px 12px; border: 1px solid var(--_line); border-radius: 10px; background: var(--_paper); }
form [type="submit"] { background: var(--_accent); color: var(--_accent-ink); border-color: transparent; }
.welcome { color: var(--_soft); max-width: 46rem; margin: 10vh auto 0; text-align: center; }
@media print { :host { height: auto; } .launcher { display: none; } form, header button { display: none; } }
@media (forced-colors: active) { button, article, .query { border: 1px solid CanvasText; } mark { forced-color-adjust: none; } }
`);var X={title:"Ask the help pages",placeholder:"Ask a question",question:"Your question",ask:"Ask",stop:"Stop",newSession:"New conversation",welcome:"Ask a question. The answer comes with its sources.",answers:"Conversation",answer:"Answer",queued:"Will be sent as soon as there is a connection",place:"the help pages",searching:"Searching {place}…",reading:"Reading {count} pages…",writing:"Writing the answer…",rewriting:"Writing the answer anew…",answered:"Here is what I found",noAnswer:"I found no answer to that in {place}",refusedSmallTalk:"Ask me something about {place}, and I will look it up",refusedHarmful:"I cannot help with that",refusedJailbreak:"I can only answer questions about {place}",refusedPolicy:"That is something that I may not answer here",nearest:"These pages come nearest",contact:"You can also ask a person.",contactLink:"Contact us",stopped:"Stopped",failed:"Something went wrong, and there is no answer",failedBusy:"Too much is asked at the moment. Wait a little, and ask again.",sources:"Sources",source:"Source {number}: {title}",untitled:"A page without a title",page:"page {page}",closeSource:"Close the source",openPage:"Open the page",notOpened:"The page could not be opened. Try again.",supportVerbatim:"The source says this word for word.",supportStrong:"The source supports this.",supportPartial:"The source supports this in part.",supportWeak:"The source is about this, but may not say it: please check.",related:"Related questions",starters:"Questions to begin with",copy:"Copy",copied:"Copied",notCopied:"Not copied",copyAnswer:"Copy the answer",copyLink:"Copy a link to this question",askAgain:"Ask again",editQuestion:"Edit the question",helpful:"This helped",notHelpful:"This did not help",whatIsWrong:"What was wrong with it?",reasonInaccurate:"It is not correct",reasonNotRelevant:"It is not what I asked",reasonIncomplete:"Something is missing",reasonBadSource:"The source does not fit",reasonHarmful:"It is harmful or offensive",reasonFormat:"It is hard to read",comment:"Tell us more, if you like",sendFeedback:"Send",thanks:"Thank you for telling us.",notSent:"That could not be sent. Try again.",close:"Close",open:"Open the chat",openUnread:"Open the chat: there is a new answer",connecting:"Connecting…",ready:"",lost:"The connection was lost; coming back…",offline:"You are offline; questions are sent as soon as you are back",refused:"The service does not let this page in (code {code})",sending:"Sending…",waiting:"Waits for the answer above",takeBack:"Take back",refusedSignIn:"Your sign-in has ended. Sign in again, then try again.",refusedOrigin:"This website ({origin}) may not use the chat. Please tell whoever runs it.",tryAgain:"Try again",newBelow:"New text below",earlier:"Show earlier questions",sessions:"Conversations",searchSessions:"Search the conversations",noSessions:"There are no conversations",more:"Show more",rename:"Rename",pin:"Pin",unpin:"Unpin",export:"Export",delete:"Delete",deleteReally:"Delete for good"};function T(r){let e=r.split(`
`),t=Object.keys(X).map((n,i)=>[n,e[i]]);return Object.fromEntries(t.filter(([,n])=>n))}var qt=T(`اسأل صفحات المساعدة
اطرح سؤالاً
سؤالك
اسأل
إيقاف
محادثة جديدة
اطرح سؤالاً، وتأتي الإجابة مع مصادرها.
المحادثة
الإجابة
سيُرسل فور توفر الاتصال
صفحات المساعدة
جارٍ البحث في {place}…
الصفحات المقروءة: {count}…
جارٍ كتابة الإجابة…
جارٍ كتابة الإجابة من جديد…
هذا ما وجدته
لم أجد إجابة عن ذلك في {place}
اسألني عن {place} وسأبحث لك
لا أستطيع المساعدة في ذلك
أجيب فقط عن الأسئلة حول {place}
لا يُسمح لي بالإجابة عن ذلك هنا
هذه أقرب الصفحات
يمكنك أيضاً أن تسأل شخصاً.
اتصل بنا
توقفت
حدث خطأ ولا توجد إجابة

المصادر
المصدر {number}: {title}
صفحة بلا عنوان
صفحة {page}
إغلاق المصدر
فتح الصفحة
تعذر فتح الصفحة. حاول مرة أخرى.
يقول المصدر ذلك حرفياً.
يؤيد المصدر ذلك.
يؤيد المصدر ذلك جزئياً.
يتناول المصدر هذا الموضوع وقد لا يقول ذلك: يرجى التحقق.
أسئلة ذات صلة
أسئلة للبدء
نسخ
تم النسخ
لم يُنسخ
نسخ الإجابة
نسخ رابط هذا السؤال
اسأل مرة أخرى
تعديل السؤال
ساعدني هذا
لم يساعدني هذا
ما الخطأ فيها؟
ليست صحيحة
ليس هذا ما سألت عنه
ينقصها شيء
المصدر غير مناسب
ضارة أو مسيئة
صعبة القراءة
أخبرنا بالمزيد إن شئت
إرسال
شكراً لإخبارنا.
تعذر الإرسال. حاول مرة أخرى.
إغلاق
فتح المحادثة
فتح المحادثة: توجد إجابة جديدة
جارٍ الاتصال…

انقطع الاتصال؛ جارٍ استعادته…
أنت غير متصل؛ تُرسل الأسئلة عند عودتك
لا تسمح الخدمة لهذه الصفحة (الرمز {code})
جارٍ الإرسال…
بانتظار الإجابة السابقة
سحب السؤال
انتهت صلاحية تسجيل دخولك. سجّل الدخول من جديد ثم أعد المحاولة.
لا يُسمح لهذا الموقع ({origin}) باستخدام المحادثة. يُرجى إبلاغ القائمين عليه.
إعادة المحاولة
نص جديد في الأسفل
عرض الأسئلة السابقة
المحادثات
البحث في المحادثات
لا توجد محادثات
عرض المزيد
إعادة التسمية
تثبيت
إلغاء التثبيت
تصدير
حذف
حذف نهائي`);var zt=T(`Die Hilfeseiten fragen
Frage eingeben
Ihre Frage
Fragen
Anhalten
Neues Gespräch
Stellen Sie eine Frage. Die Antwort kommt mit ihren Quellen.
Gespräch
Antwort
Wird gesendet, sobald eine Verbindung besteht
die Hilfeseiten
Durchsucht wird: {place}…
Gelesene Seiten: {count}…
Die Antwort wird geschrieben…
Die Antwort wird neu geschrieben…
Das habe ich gefunden
Dazu habe ich keine Antwort gefunden (durchsucht: {place})
Fragen Sie etwas zu diesem Thema: {place}
Dabei kann ich nicht helfen
Ich beantworte nur Fragen zu diesem Thema: {place}
Das darf ich hier nicht beantworten
Diese Seiten kommen dem am nächsten
Sie können auch einen Menschen fragen.
Kontakt
Angehalten
Etwas ging schief; es gibt keine Antwort

Quellen
Quelle {number}: {title}
Seite ohne Titel
Seite {page}
Quelle schließen
Seite öffnen
Die Seite ließ sich nicht öffnen. Versuchen Sie es noch einmal.
Die Quelle sagt das wörtlich.
Die Quelle belegt das.
Die Quelle belegt das zum Teil.
Die Quelle handelt davon, sagt es aber vielleicht nicht: bitte prüfen.
Verwandte Fragen
Fragen für den Anfang
Kopieren
Kopiert
Nicht kopiert
Antwort kopieren
Link zu dieser Frage kopieren
Noch einmal fragen
Frage bearbeiten
Das hat geholfen
Das hat nicht geholfen
Was war daran falsch?
Es stimmt nicht
Danach habe ich nicht gefragt
Es fehlt etwas
Die Quelle passt nicht
Es ist schädlich oder beleidigend
Es ist schwer zu lesen
Sagen Sie uns mehr, wenn Sie mögen
Senden
Danke für die Rückmeldung.
Das ließ sich nicht senden. Versuchen Sie es noch einmal.
Schließen
Chat öffnen
Chat öffnen: es gibt eine neue Antwort
Verbinden…

Die Verbindung ist abgebrochen; sie wird wiederhergestellt…
Sie sind offline; Fragen werden gesendet, sobald Sie zurück sind
Der Dienst lässt diese Seite nicht zu (Code {code})
Wird gesendet…
Wartet auf die Antwort darüber
Zurücknehmen
Ihre Anmeldung ist abgelaufen. Melden Sie sich neu an und versuchen Sie es noch einmal.
Diese Website ({origin}) darf den Chat nicht nutzen. Bitte sagen Sie es dem Betreiber.
Noch einmal versuchen
Neuer Text weiter unten
Frühere Fragen zeigen
Gespräche
Gespräche durchsuchen
Keine Gespräche
Mehr zeigen
Umbenennen
Anheften
Lösen
Exportieren
Löschen
Endgültig löschen`);var Bt=T(`Preguntar a las páginas de ayuda
Haga una pregunta
Su pregunta
Preguntar
Detener
Nueva conversación
Haga una pregunta. La respuesta llega con sus fuentes.
Conversación
Respuesta
Se enviará en cuanto haya conexión
las páginas de ayuda
Buscando en {place}…
Leyendo páginas: {count}…
Escribiendo la respuesta…
Escribiendo la respuesta de nuevo…
Esto es lo que encontré
No encontré respuesta en {place}
Pregunte algo sobre {place} y lo buscaré
No puedo ayudar con eso
Solo puedo responder preguntas sobre {place}
Eso no puedo responderlo aquí
Estas páginas son las más cercanas
También puede preguntar a una persona.
Contacto
Detenida
Algo salió mal y no hay respuesta

Fuentes
Fuente {number}: {title}
Página sin título
página {page}
Cerrar la fuente
Abrir la página
No se pudo abrir la página. Inténtelo de nuevo.
La fuente lo dice palabra por palabra.
La fuente lo respalda.
La fuente lo respalda en parte.
La fuente trata de esto, pero quizá no lo diga: compruébelo.
Preguntas relacionadas
Preguntas para empezar
Copiar
Copiado
No copiado
Copiar la respuesta
Copiar un enlace a esta pregunta
Preguntar de nuevo
Editar la pregunta
Me ayudó
No me ayudó
¿Qué estaba mal?
No es correcto
No es lo que pregunté
Falta algo
La fuente no corresponde
Es dañino u ofensivo
Es difícil de leer
Cuéntenos más, si quiere
Enviar
Gracias por decírnoslo.
No se pudo enviar. Inténtelo de nuevo.
Cerrar
Abrir el chat
Abrir el chat: hay una respuesta nueva
Conectando…

Se perdió la conexión; volviendo…
Está sin conexión; las preguntas se enviarán cuando vuelva
El servicio no admite esta página (código {code})
Enviando…
Espera la respuesta anterior
Retirar
Su sesión ha caducado. Vuelva a iniciar sesión e inténtelo de nuevo.
Este sitio web ({origin}) no puede usar el chat. Avise a quien lo gestiona.
Intentar de nuevo
Hay texto nuevo abajo
Mostrar preguntas anteriores
Conversaciones
Buscar en las conversaciones
No hay conversaciones
Mostrar más
Cambiar el nombre
Fijar
Desfijar
Exportar
Eliminar
Eliminar definitivamente`);var Ht=T(`Interroger les pages d’aide
Posez une question
Votre question
Demander
Arrêter
Nouvelle conversation
Posez une question. La réponse arrive avec ses sources.
Conversation
Réponse
Sera envoyée dès qu’il y aura une connexion
les pages d’aide
Recherche dans {place}…
Pages lues : {count}…
Rédaction de la réponse…
La réponse est réécrite…
Voici ce que j’ai trouvé
Je n’ai pas trouvé de réponse dans {place}
Demandez-moi quelque chose sur {place} et je chercherai
Je ne peux pas aider pour cela
Je ne réponds qu’aux questions sur {place}
Je ne peux pas répondre à cela ici
Ces pages s’en approchent le plus
Vous pouvez aussi demander à une personne.
Nous contacter
Arrêtée
Une erreur est survenue, il n’y a pas de réponse

Sources
Source {number} : {title}
Page sans titre
page {page}
Fermer la source
Ouvrir la page
La page n’a pas pu être ouverte. Réessayez.
La source le dit mot pour mot.
La source le confirme.
La source le confirme en partie.
La source en parle, mais ne le dit peut-être pas : à vérifier.
Questions proches
Questions pour commencer
Copier
Copié
Non copié
Copier la réponse
Copier un lien vers cette question
Redemander
Modifier la question
Cela m’a aidé
Cela ne m’a pas aidé
Qu’est-ce qui n’allait pas ?
Ce n’est pas exact
Ce n’est pas ma question
Il manque quelque chose
La source ne convient pas
C’est nuisible ou offensant
C’est difficile à lire
Dites-nous-en plus, si vous voulez
Envoyer
Merci de nous l’avoir dit.
Cela n’a pas pu être envoyé. Réessayez.
Fermer
Ouvrir le chat
Ouvrir le chat : il y a une nouvelle réponse
Connexion…

La connexion est perdue ; reprise…
Vous êtes hors ligne ; les questions partiront à votre retour
Le service n’admet pas cette page (code {code})
Envoi…
Attend la réponse ci-dessus
Retirer
Votre connexion a expiré. Reconnectez-vous, puis réessayez.
Ce site ({origin}) ne peut pas utiliser le chat. Merci d’en avertir son responsable.
Réessayer
Nouveau texte plus bas
Afficher les questions précédentes
Conversations
Rechercher dans les conversations
Aucune conversation
Afficher plus
Renommer
Épingler
Désépingler
Exporter
Supprimer
Supprimer définitivement`);var Ft=T(`ヘルプページに質問
質問を入力
質問
質問する
停止
新しい会話
質問してください。回答には出典が付きます。
会話
回答
接続され次第送信します
ヘルプページ
{place}を検索中…
{count} ページを確認中…
回答を作成中…
回答を作り直しています…
次のことがわかりました
{place}に答えは見つかりませんでした
{place}について質問してください。お調べします
それについてはお手伝いできません
{place}に関する質問にのみお答えできます
ここではお答えできません
近い内容のページ
担当者に問い合わせることもできます。
お問い合わせ
停止しました
問題が発生し、回答できませんでした

出典
出典 {number}: {title}
無題のページ
{page} ページ
出典を閉じる
ページを開く
ページを開けませんでした。もう一度お試しください。
出典にそのまま書かれています。
出典が裏付けています。
出典が一部裏付けています。
関連する出典ですが、そう書かれていない可能性があります。ご確認ください。
関連する質問
最初の質問の例
コピー
コピーしました
コピーできませんでした
回答をコピー
この質問へのリンクをコピー
もう一度質問
質問を編集
役に立った
役に立たなかった
何が問題でしたか？
正しくない
質問と違う
足りない内容がある
出典が合っていない
有害または不快
読みにくい
よろしければ詳しくお聞かせください
送信
ご協力ありがとうございます。
送信できませんでした。もう一度お試しください。
閉じる
チャットを開く
チャットを開く: 新しい回答があります
接続中…

接続が切れました。再接続しています…
オフラインです。復帰後に質問を送信します
サービスがこのページを許可していません(コード {code})
送信中…
上の回答を待っています
取り消す
サインインの有効期限が切れました。もう一度サインインしてから、やり直してください。
このサイト（{origin}）ではチャットを利用できません。サイトの運営者にお知らせください。
もう一度試す
下に新しい内容があります
以前の質問を表示
会話
会話を検索
会話はありません
さらに表示
名前を変更
ピン留め
ピン留めを外す
エクスポート
削除
完全に削除`);var Ut=T(`Perguntar às páginas de ajuda
Faça uma pergunta
A sua pergunta
Perguntar
Parar
Nova conversa
Faça uma pergunta. A resposta vem com as suas fontes.
Conversa
Resposta
Será enviada assim que houver ligação
as páginas de ajuda
A pesquisar: {place}…
Páginas lidas: {count}…
A escrever a resposta…
A escrever a resposta de novo…
Eis o que encontrei
Não encontrei resposta para isso (pesquisei: {place})
Pergunte algo sobre este tema: {place}
Não posso ajudar com isso
Só respondo a perguntas sobre este tema: {place}
Não posso responder a isso aqui
Estas páginas são as mais próximas
Também pode perguntar a uma pessoa.
Contacto
Parada
Algo correu mal e não há resposta

Fontes
Fonte {number}: {title}
Página sem título
página {page}
Fechar a fonte
Abrir a página
Não foi possível abrir a página. Tente de novo.
A fonte diz isto palavra por palavra.
A fonte confirma isto.
A fonte confirma isto em parte.
A fonte trata disto, mas talvez não o diga: verifique.
Perguntas relacionadas
Perguntas para começar
Copiar
Copiado
Não copiado
Copiar a resposta
Copiar uma ligação para esta pergunta
Perguntar de novo
Editar a pergunta
Ajudou
Não ajudou
O que estava errado?
Não está correto
Não foi o que perguntei
Falta alguma coisa
A fonte não corresponde
É nocivo ou ofensivo
É difícil de ler
Conte-nos mais, se quiser
Enviar
Obrigado por nos dizer.
Não foi possível enviar. Tente de novo.
Fechar
Abrir o chat
Abrir o chat: há uma resposta nova
A ligar…

A ligação perdeu-se; a retomar…
Está sem ligação; as perguntas serão enviadas quando voltar
O serviço não admite esta página (código {code})
A enviar…
À espera da resposta acima
Retirar
A sua sessão expirou. Inicie sessão de novo e tente outra vez.
Este site ({origin}) não pode usar o chat. Avise quem o gere.
Tentar de novo
Há texto novo em baixo
Mostrar perguntas anteriores
Conversas
Pesquisar nas conversas
Não há conversas
Mostrar mais
Mudar o nome
Fixar
Desafixar
Exportar
Eliminar
Eliminar definitivamente`);var Wt=T(`向帮助页面提问
请输入问题
您的问题
提问
停止
新对话
请提出问题，回答会附上来源。
对话
回答
连接后将立即发送
帮助页面
正在搜索{place}…
正在阅读 {count} 个页面…
正在撰写回答…
正在重新撰写回答…
这是我找到的内容
在{place}中没有找到答案
请问我有关{place}的问题，我会查找
这个我帮不了
我只能回答有关{place}的问题
这个问题我在这里不能回答
最接近的页面
您也可以向人工咨询。
联系我们
已停止
出了问题，没有得到回答

来源
来源 {number}:{title}
无标题页面
第 {page} 页
关闭来源
打开页面
无法打开页面，请重试。
来源中有原话。
来源支持这一点。
来源部分支持这一点。
来源与此有关，但未必这样说，请核实。
相关问题
可以从这些问题开始
复制
已复制
未复制
复制回答
复制此问题的链接
再问一次
编辑问题
有帮助
没有帮助
哪里有问题？
内容不正确
不是我问的
缺少内容
来源不符
有害或冒犯
难以阅读
愿意的话，请多说一些
发送
感谢您的反馈。
未能发送，请重试。
关闭
打开聊天
打开聊天:有新回答
正在连接…

连接已断开，正在恢复…
您已离线，恢复后将发送问题
服务不允许此页面接入(代码 {code})
正在发送…
等待上一个回答完成
撤回
您的登录已过期。请重新登录后再试。
此网站（{origin}）不能使用聊天。请告知网站管理者。
重试
下方有新内容
显示更早的问题
对话
搜索对话
没有对话
显示更多
重命名
置顶
取消置顶
导出
删除
永久删除`);var jt={ar:qt,de:zt,en:X,es:Bt,fr:Ht,ja:Ft,pt:Ut,zh:Wt},Fn=["ar"];function Gt(r){let t=r.map(i=>i.toLowerCase().split(/[-_]/)[0]??"").find(i=>Object.hasOwn(jt,i))??"en",n=Fn.includes(t)?"rtl":"ltr";return{code:t,direction:n,texts:{...X,...jt[t]}}}var Un="M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z",be=class{constructor(e,t){this.texts=e;this.panel=t;this.bubble=c("button",{type:"button",className:"bubble",part:"bubble","aria-haspopup":"dialog","aria-expanded":"false"}),this.bubble.append(C(Un),this.unread),this.bubble.onclick=()=>this.isOpen?this.close():this.open(),this.dialog=c("div",{className:"dialog",part:"dialog",role:"dialog","aria-label":e.title,hidden:!0},t),this.dialog.addEventListener("keydown",n=>{n.key!=="Escape"||n.defaultPrevented||(n.stopPropagation(),this.close())}),this.node=c("div",{className:"launcher"},this.dialog,this.bubble),this.label()}texts;panel;node;bubble;dialog;unread=c("span",{className:"unread",hidden:!0,"aria-hidden":"true"});before;get isOpen(){return!this.dialog.hidden}open(){if(this.isOpen)return;let e=document.activeElement;this.before=e instanceof HTMLElement&&e!==document.body?e:void 0,this.dialog.hidden=!1,this.unread.hidden=!0,this.label(),this.panel.querySelector("textarea")?.focus()}close(){if(!this.isOpen)return;this.dialog.hidden=!0,this.label(),(this.before?.isConnected&&!this.before.shadowRoot?this.before:this.bubble).focus()}markUnread(){this.isOpen||(this.unread.hidden=!1,this.label())}label(){let{texts:e,isOpen:t}=this,n=this.unread.hidden?e.open:e.openUnread;this.bubble.setAttribute("aria-label",t?e.close:n),this.bubble.setAttribute("aria-expanded",String(t))}};var Wn=1e4,jn=6,ke=class{node;field;stop;constructor(e,t){this.field=c("textarea",{rows:1,maxLength:Wn,placeholder:e.placeholder,"aria-label":e.question,dir:"auto"}),this.stop=c("button",{type:"button",textContent:e.stop,hidden:!0});let n=c("button",{type:"submit",textContent:e.ask});this.node=c("form",{},this.field,this.stop,n),this.stop.onclick=()=>t.stop(),this.field.oninput=()=>this.fit(),this.field.onkeydown=i=>{i.key!=="Enter"||i.shiftKey||i.isComposing||(i.preventDefault(),this.node.requestSubmit())},this.node.onsubmit=i=>{i.preventDefault();let s=this.field.value.trim();s&&(this.field.value="",this.fit(),t.ask(s))}}get draft(){return this.field.value}set draft(e){this.field.value=e,this.fit()}focus(){this.field.focus()}answering(e){this.stop.hidden=!e}fit(){this.field.rows=Math.min(this.field.value.split(`
`).length,jn)}};function y(r,e){return r.replace(/\{(\w+)\}/g,(t,n)=>String(e[n]??t))}var Gn=[4401,4408],Qn=4403,ve=class{constructor(e,t){this.texts=e;this.again=c("button",{type:"button",textContent:e.tryAgain,hidden:!0}),this.again.onclick=t,this.node.append(this.words,this.again)}texts;node=c("div",{className:"connection"});words=c("span",{role:"status"});again;get message(){return this.words.textContent??""}show(e,t=0){this.node.dataset.state=e,this.words.textContent=e==="refused"?this.refusal(t):this.texts[e],this.again.hidden=e!=="refused",this.node.hidden=!this.message}refusal(e){let{texts:t}=this;return Gn.includes(e)?t.refusedSignIn:e===Qn?y(t.refusedOrigin,{origin:location.origin}):y(t.refused,{code:e})}};var Vn=80,we=class{constructor(e,t,n){this.scroll=e;this.button=c("button",{type:"button",className:"below",hidden:!0,textContent:n.newBelow}),this.button.onclick=()=>this.toEnd(),e.addEventListener("scroll",()=>this.scrolled(),{passive:!0}),new ResizeObserver(()=>this.isFollowing&&this.toEnd()).observe(t)}scroll;button;isFollowing=!0;top=0;grown(){this.isFollowing||(this.button.hidden=!1)}toEnd(){this.isFollowing=!0,this.button.hidden=!0,this.scroll.scrollTop=this.scroll.scrollHeight}keep(e,t){let n=e.getBoundingClientRect().top;t(),this.isFollowing?this.toEnd():this.scroll.scrollTop+=e.getBoundingClientRect().top-n}scrolled(){let{scrollHeight:e,scrollTop:t,clientHeight:n}=this.scroll;e-t-n<Vn?(this.isFollowing=!0,this.button.hidden=!0):t<this.top&&(this.isFollowing=!1),this.top=t}};function ye(r,e){let t=e.map(l=>r.map(u=>Zn(u,l.text))),n=t.map(l=>l.filter(Boolean).length),i=Math.max(n.indexOf(Math.max(...n)),0),s=e[i]??{text:"",page:void 0},a=(t[i]??[]).flatMap(l=>l??[]);a.sort((l,u)=>l.start-u.start);let o=r.every((l,u)=>t.some(p=>p[u]?.isWhole));return{passage:s,ranges:a,isComplete:o,heading:Kn(s.text,a[0]?.end)}}function Zn(r,e){let t=r.split(`
`).map(n=>n.replace(/^\s*(?:[-*•]|\d+[.)])\s+/,"").trim()).sort((n,i)=>i.length-n.length);for(let[n,i]of[r.trim(),...t].entries()){let s=i?e.indexOf(i):-1,a=n===0||t.length===1;if(s>=0)return{start:s,end:s+i.length,isWhole:a}}}function Kn(r,e=r.length){let t=r.slice(0,e).split(/\n{2,}/).slice(0,-1),n=i=>i.length<=120&&!i.includes(`
`)&&!/[.:;,。：]$/.test(i)&&!/^\W*$/.test(i);return t.filter(n).at(-1)?.trim()??""}var Yn=.8,Jn=.5,O=class{constructor(e){this.answer=e;let{text:t,citations:n,supports:i}=e;this.ranges=Qt(t,n);let s=i.filter(({groundingScore:a})=>a!==void 0);this.scored=s.flatMap(a=>Qt(t,[a]).map(o=>({...o,score:a.groundingScore??0})));for(let a of this.ranges.flatMap(({sources:o})=>o))e.references[a]&&!this.numbers.has(a)&&this.numbers.set(a,this.numbers.size+1)}answer;numbers=new Map;ranges;scored;indexesIn(e,t){let n=this.within(e,t).flatMap(({sources:i})=>i);return[...new Set(n)].filter(i=>this.numbers.has(i))}cited(e,t=0,n=Number.POSITIVE_INFINITY){let i=this.within(t,n).filter(({sources:u})=>u.includes(e)),s=i.map(u=>this.answer.text.slice(u.start,u.end)),a=tt(this.answer.references[e]??{},e),o=ye(s,a.passages);return{number:this.numbers.get(e)??e+1,source:a,evidence:o,support:this.support(e,i,o)}}within(e,t){return this.ranges.filter(n=>n.end>e&&n.end<=t)}support(e,t,n){if(t.length&&n.isComplete)return"verbatim";let i=this.scored.filter(({sources:a})=>a.includes(e)).filter(a=>t.some(({start:o,end:l})=>o<a.end&&a.start<l)).map(({score:a})=>a);if(!i.length)return;let s=Math.min(...i);return s>=Yn?"strong":s>=Jn?"partial":"weak"}};function Qt(r,e){let t=new TextEncoder().encode(r),n=new TextDecoder,i=[],s=0,a=0,o=l=>(l<s&&([s,a]=[0,0]),a+=n.decode(t.subarray(s,l)).length,s=l,a);for(let{startIndex:l,endIndex:u,sources:p}of e){let g=Number(u??0);!g||g>t.length||i.push({start:o(Number(l??0)),end:o(g),sources:(p??[]).map(({referenceId:h})=>Number(h??0))})}return i}function tt(r,e){let t=r.unstructuredDocumentInfo,n=r.chunkInfo,i=t??r.structuredDocumentInfo??n?.documentMetadata??{},s=[...t?.chunkContents??[],...n?[n]:[]],a=i.document??"";return{index:e,title:i.title||a.split("/").pop()||"",document:a,uri:i.uri??"",passages:s.map(o=>({text:o.content??"",page:("pageIdentifier"in o?o.pageIdentifier:void 0)??i.pageIdentifier}))}}function Te(){return{async:!1,breaks:!1,extensions:null,gfm:!0,hooks:null,pedantic:!1,renderer:null,silent:!1,tokenizer:null,walkTokens:null}}var Se=Te();var $={exec:()=>null};function M(r){let e=[];return t=>{let n=Math.max(0,Math.min(3,t-1)),i=e[n];return i||(i=r(n),e[n]=i),i}}function m(r,e=""){let t=typeof r=="string"?r:r.source,n={replace:(i,s)=>{let a=typeof s=="string"?s:s.source;return a=a.replace(S.caret,"$1"),t=t.replace(i,a),n},getRegex:()=>new RegExp(t,e)};return n}var Yt=((r="")=>{try{return!!new RegExp("(?<=1)(?<!1)"+r)}catch{return!1}})(),S={codeRemoveIndent:/^(?: {0,3}\t| {1,4})/gm,listInterruptsParagraph:/^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/,outputLinkReplace:/\\([\[\]])/g,indentCodeCompensation:/^(\s+)(?:```)/,beginningSpace:/^\s+/,endingHash:/#$/,startingSpaceChar:/^ /,endingSpaceChar:/ $/,endingSpaceTabChar:/[ \t]$/,nonSpaceChar:/[^ ]/,newLineCharGlobal:/\n/g,tabCharGlobal:/\t/g,leadingSpaceTab:/^[ \t]+/,multipleSpaceGlobal:/\s+/g,blankLine:/^[ \t]*$/,doubleBlankLine:/\n[ \t]*\n[ \t]*$/,blockquoteStart:/^ {0,3}>/,blockquoteSetextReplace:/\n {0,3}((?:=+|-+)[ \t]*)(?=\n|$)/g,blockquoteSetextReplace2:/^ {0,3}>[ \t]?/gm,blockquoteMarkerWhitespace:/^( {0,3}>)(\t[ \t]*)/gm,nestedBlockMarker:/^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])(?: |$)|> ?)/,listReplaceNesting:/^ {1,4}(?=( {4})*[^ ])/g,listIsTask:/^\[[ xX]\][ \t]+\S/,listReplaceTask:/^\[[ xX]\][ \t]+/,listTaskCheckbox:/\[[ xX]\]/,anyLine:/\n.*\n/,hrefBrackets:/^<(.*)>$/,tableDelimiter:/[:|]/,tableAlignChars:/^\||\| *$/g,tableRowBlankLine:/\n[ \t]*$/,tableAlignRight:/^ *-+: *$/,tableAlignCenter:/^ *:-+: *$/,tableAlignLeft:/^ *:-+ *$/,startATag:/^<a /i,endATag:/^<\/a>/i,startPreScriptTag:/^<(pre|code|kbd|script)(\s|>)/i,endPreScriptTag:/^<\/(pre|code|kbd|script)(\s|>)/i,startAngleBracket:/^</,endAngleBracket:/>$/,pedanticHrefTitle:/^([^'"]*[^\s])\s+(['"])(.*)\2/,unicodeAlphaNumeric:/[\p{L}\p{N}]/u,numericCharacterReference:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));/,numericCharacterReferenceOrAmpersand:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,escapeTest:/[&<>"']/,escapeReplace:/[&<>"']/g,escapeTestNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/,escapeReplaceNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,caret:/(^|[^\[])\^/g,percentDecode:/%25/g,findPipe:/\|/g,splitPipe:/ \|/,slashPipe:/\\\|/g,carriageReturn:/\r\n|\r/g,spaceLine:/^ +$/gm,notSpaceStart:/^\S*/,endingNewline:/\n$/,listItemRegex:r=>new RegExp(`^( {0,3}${r})((?:[	 ][^\\n]*)?(?:\\n|$))`),nextBulletRegex:M(r=>new RegExp(`^ {0,${r}}(?:[*+-]|\\d{1,9}[.)])((?:[ 	][^\\n]*)?(?:\\n|$))`)),hrRegex:M(r=>new RegExp(`^ {0,${r}}((?:-[ 	]*){3,}|(?:_[ 	]*){3,}|(?:\\*[ 	]*){3,})(?:\\n+|$)`)),fencesBeginRegex:M(r=>new RegExp(`^ {0,${r}}(?:\`\`\`|~~~)`)),headingBeginRegex:M(r=>new RegExp(`^ {0,${r}}#{1,6}(?:\\s|$)`)),pedanticHeadingBeginRegex:M(r=>new RegExp(`^ {0,${r}}#`)),htmlBeginRegex:M(r=>new RegExp(`^ {0,${r}}(?:</?(?:${st})(?:[ \\t]+|$|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`,"i")),blockquoteBeginRegex:M(r=>new RegExp(`^ {0,${r}}>`)),nestedContainerMarkers:/^(?: {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?))+/},Xn=/^(?:[ \t]*(?:\n|$))+/,ei=/^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/,ti=/^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)(?:|([\s\S]*?)(?:\n|$))(?: {0,3}(?:(?=`)\1`*|(?=~)\1~*) *(?=\n|$)|$)/,ee=/^ {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/,ni=/^ {0,3}(#{1,6})(?=\s|$)(.*)(?:\n+|$)/,it=/ {0,3}(?:[*+-]|\d{1,9}[.)])/,st="address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul",te=m(" {0,3}(?:</?(?:tag)(?:[ \\t]+|\\n|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)").replace("tag",st).getRegex(),Jt=/^(?!bull |blockCode|fences|blockquote|heading|html|table)((?:.|\n(?!\s*?\n|bull |fences|blockquote|heading|hr|html|table))+?)\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/,Xt=m(Jt).replace(/bull/g,it).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/\|table/g,"").replace(/html/g,te).getRegex(),ii=m(Jt).replace(/bull/g,it).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/table/g,/ {0,3}\|?(?:[:\- ]*\|)+[\:\- ]*\n/).replace(/html/g,te).getRegex(),rt=/^([^\n]+(?:\n(?!hr|heading|lheading|blockquote|fences|list|html|table|[ \t]+\n)[^\n]+)*)/,si=/^[^\n]+/,ot=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\\n]|\n(?![ \t]*\n))+/,ri=m(/^ {0,3}\[(label)\]: *(?:\n[ \t]*)?([^<\s][^\s]*|<(?:\\.|[^\n<>\\])*>)(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(title))? *(?:\n+|$)/).replace("label",ot).replace("title",/(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'|\((?:\\[\s\S]|[^()\\])*\))/).getRegex(),oi=m(/^(bull)([ \t][^\n]*?)?(?:\n|$)/).replace(/bull/g,it).getRegex(),at=/<!--(?:-?>|[\s\S]*?(?:-->|$))/,ai=m("^ {0,3}(?:<(script|pre|style|textarea)[\\s>][\\s\\S]*?(?:</\\1>[^\\n]*\\n*|$)|comment[^\\n]*(\\n+|$)|<\\?[\\s\\S]*?(?:\\?>[^\\n]*\\n*|$)|<![A-Z][\\s\\S]*?(?:>[^\\n]*\\n*|$)|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>[^\\n]*\\n*|$)|</?(tag)(?:[ \\t]+|\\n|/?>|$)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|<(?!(?:script|pre|style|textarea)(?![a-z0-9-]))([a-z][a-z0-9-]*)(?:attribute)*?[ \\t]*/?>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|</[a-z][a-z0-9-]*\\s*>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$))","i").replace("comment",at).replace("tag",st).replace("attribute",/[ \t]+[a-zA-Z:_][\w.:-]*(?:[ \t]*=[ \t]*"[^"\n]*"|[ \t]*=[ \t]*'[^'\n]*'|[ \t]*=[ \t]*[^\s"'=<>`]+)?/).getRegex(),en=r=>m(rt).replace("hr",ee).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("|table","").replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list",r).replace("html",te).getRegex(),li=en(/ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/),ci=en(/ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\n|$)/),pi=m(/^( {0,3}> ?(?:(?![ \t]*(?:\n|$))(paragraph)|[^\n]*)(?:\n|$))+/).replace("paragraph",ci).getRegex(),lt={blockquote:pi,code:ei,def:ri,fences:ti,heading:ni,hr:ee,html:ai,lheading:Xt,list:oi,newline:Xn,paragraph:li,table:$,text:si},Vt=m("^ *([^\\n ].*)\\n {0,3}((?:\\| *)?:?-+:? *(?:\\| *:?-+:? *)*(?:\\| *)?)(?:\\n((?:(?! *\\n|hr|heading|blockquote|code|fences|list|html).*(?:\\n|$))*)\\n*|$)").replace("hr",ee).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("blockquote"," {0,3}>").replace("code","(?: {4}| {0,3}	)[^\\n]").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]").replace("html",te).getRegex(),ui={...lt,lheading:ii,table:Vt,paragraph:m(rt).replace("hr",ee).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("table",Vt).replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]+[^ \\t\\n]").replace("html",te).getRegex()},di={...lt,html:m(`^ *(?:comment(?: *\\n|\\s*$)|<(tag)[\\s\\S]+?</\\1>(?: *\\n{2,}|\\s*$)|<tag(?:"[^"]*"|'[^']*'|\\s[^'"/>\\s]*)*?/?>(?: *\\n{2,}|\\s*$))`).replace("comment",at).replace(/tag/g,"(?!(?:a|em|strong|small|s|cite|q|dfn|abbr|data|time|code|var|samp|kbd|sub|sup|i|b|u|mark|ruby|rt|rp|bdi|bdo|span|br|wbr|ins|del|img)\\b)\\w+(?!:|[^\\w\\s@]*@)\\b").getRegex(),def:/^ *\[([^\]]+)\]: *<?([^\s>]+)>?(?: +(["(][^\n]+[")]))? *(?:\n+|$)/,heading:/^(#{1,6})(.*)(?:\n+|$)/,fences:$,lheading:/^(.+?)\n {0,3}(=+|-+) *(?:\n+|$)/,paragraph:m(rt).replace("hr",ee).replace("heading",` *#{1,6} *[^
]`).replace("|table","").replace("blockquote"," {0,3}>").replace("|fences","").replace("|list","").replace("|html","").replace("|tag","").replace("lheading",Xt).getRegex()},hi=/^\\([!"#$%&'()*+,\-./:;<=>?@\[\]\\^_`{|}~])/,gi=/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/,tn=/^( {2,}|\\)\n(?!\s*$)[ \t]*/,fi=/^(`+|[^`])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<!\[`*_]|\b_|$)|[^ ](?= {2,}\n)))/,A=/[\p{P}\p{S}]/u,W=/[\s\p{P}\p{S}]/u,ne=/[^\s\p{P}\p{S}]/u,mi=m(/^((?![*_])punctSpace)/,"u").replace(/punctSpace/g,W).getRegex(),xi=/[\p{Pi}\p{Ps}"']/u,nn=/(?!~)[\p{P}\p{S}]/u,bi=/(?!~)[\s\p{P}\p{S}]/u,ki=/(?:[^\s\p{P}\p{S}]|~)/u,vi=m(/link|precode-code|html/,"g").replace("link",/\[(?:[^\[\]`]|(?<a>`+)[^`]+\k<a>(?!`))*?\]\((?:\\[\s\S]|[^\\\(\)]|\((?:\\[\s\S]|[^\\\(\)])*\))*\)/).replace("precode-",Yt?"(?<!`)()":"(^^|[^`])").replace("code",/(?<b>`+)[^`]+\k<b>(?!`)/).replace("html",/<(?! )[^<>]*?>/).getRegex(),sn=/^(?:\*+(?:((?!\*)punct)|([^\s*]))?)|^_+(?:((?!_)punct)|([^\s_]))?/,wi=m(sn,"u").replace(/punct/g,A).getRegex(),yi=m(sn,"u").replace(/punct/g,nn).getRegex(),Ti=/^(?:\*+(?:((?!\*)(?!openQuote)punct)|([^\s*]))?)|^_+(?:((?!_)(?!openQuote)punct)|([^\s_]))?/,Si=m(Ti,"u").replace(/openQuote/g,xi).replace(/punct/g,A).getRegex(),rn="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)punctSpace(\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|notPunctSpace(\\*+)(?=notPunctSpace)",Ei=m(rn,"gu").replace(/notPunctSpace/g,ne).replace(/punctSpace/g,W).replace(/punct/g,A).getRegex(),Ci=m(rn,"gu").replace(/notPunctSpace/g,ki).replace(/punctSpace/g,bi).replace(/punct/g,nn).getRegex(),Ri="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)[\\s](\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|(?:(?!\\*)punct|notPunctSpace)(\\*+)(?!\\*)(?=notPunctSpace)",Ai=m(Ri,"gu").replace(/notPunctSpace/g,ne).replace(/punctSpace/g,W).replace(/punct/g,A).getRegex(),Li=m("^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)punctSpace(_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)","gu").replace(/notPunctSpace/g,ne).replace(/punctSpace/g,W).replace(/punct/g,A).getRegex(),Pi="^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)[\\s](_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)|(?:(?!_)punct|notPunctSpace)(_+)(?!_)(?=notPunctSpace)",Ni=m(Pi,"gu").replace(/notPunctSpace/g,ne).replace(/punctSpace/g,W).replace(/punct/g,A).getRegex(),_i=m(/^~~?(?:((?!~)punct)|[^\s~])/,"u").replace(/punct/g,A).getRegex(),Ii="^[^~]+(?=[^~])|(?!~)punct(~~?)(?=[\\s]|$)|notPunctSpace(~~?)(?!~)(?=punctSpace|$)|(?!~)punctSpace(~~?)(?=notPunctSpace)|[\\s](~~?)(?!~)(?=punct)|(?!~)punct(~~?)(?!~)(?=punct)|notPunctSpace(~~?)(?=notPunctSpace)",Oi=m(Ii,"gu").replace(/notPunctSpace/g,ne).replace(/punctSpace/g,W).replace(/punct/g,A).getRegex(),Mi=m(/\\(punct)/,"gu").replace(/punct/g,A).getRegex(),$i=m(/(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\(punct)/,"gu").replace(/punct/g,A).getRegex(),Di=m(/^<(scheme:[^\s\x00-\x1f<>]*|email)>/).replace("scheme",/[a-zA-Z][a-zA-Z0-9+.-]{1,31}/).replace("email",/[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+(@)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_])/).getRegex(),qi=m(at).replace("(?:-->|$)","-->").getRegex(),zi=m("^comment|^</[a-zA-Z][a-zA-Z0-9-]*\\s*>|^<[a-zA-Z][a-zA-Z0-9-]*(?:attribute)*?\\s*/?>|^<\\?[\\s\\S]*?\\?>|^<![a-zA-Z]+\\s[\\s\\S]*?>|^<!\\[CDATA\\[[\\s\\S]*?\\]\\]>").replace("comment",qi).replace("attribute",/\s+[a-zA-Z:_][\w.:-]*(?:\s*=\s*"[^"]*"|\s*=\s*'[^']*'|\s*=\s*[^\s"'=<>`]+)?/).getRegex(),on=/\[(?:\\[\s\S]|[^\[\]\\])*\]/,Ee=m(/(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\])|[^\[\]\\`])*?/).replace("brackets",on).getRegex(),Bi=m(/^!?\[(label)\]\([ \t\n]*(href)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(title))?[ \t\n]*\)/).replace("label",Ee).replace("href",/<(?:\\.|[^\n<>\\])*>|(?!<)[^ \t\n\x00-\x1f]+|(?=\))/).replace("title",/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^)\\])*\)/).getRegex(),Hi=m(/^!?\[(label)\]\[(ref)\]/).replace("label",Ee).replace("ref",ot).getRegex(),Fi=m(/^!?\[(ref)\](?:\[\])?/).replace("ref",ot).getRegex(),Zt=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\]){1,999}/,Ui=m(/(?:[^\[\]\\`]*(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\]))){0,999}?[^\[\]\\`]*?/).replace("brackets",on).getRegex(),Wi=m("reflink|nolink(?!\\()","g").replace("reflink",m(/^!?\[(label)\]\[(ref)\]/).replace("label",Ui).replace("ref",Zt).getRegex()).replace("nolink",m(/^!?\[(ref)\](?:\[\])?/).replace("ref",Zt).getRegex()).getRegex(),Kt=/[hH][tT][tT][pP][sS]?|[fF][tT][pP]/,ji=/[A-Za-z0-9._+-]+@[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/,Gi=m(/(?:mailto:email|xmpp:email(?:\/[A-Za-z0-9@.]+)?)/).replace(/email/g,ji).getRegex(),ct={_backpedal:$,anyPunctuation:Mi,anyPunctuationOutsideCode:$i,autolink:Di,blockSkip:vi,br:tn,code:gi,del:$,delLDelim:$,delRDelim:$,emStrongLDelim:wi,emStrongRDelimAst:Ei,emStrongRDelimUnd:Li,escape:hi,link:Bi,nolink:Fi,punctuation:mi,reflink:Hi,reflinkSearch:Wi,tag:zi,text:fi,url:$},Qi={...ct,emStrongLDelim:Si,emStrongRDelimAst:Ai,emStrongRDelimUnd:Ni,link:m(/^!?\[(label)\]\((.*?)\)/).replace("label",Ee).getRegex(),reflink:m(/^!?\[(label)\]\s*\[([^\]]*)\]/).replace("label",Ee).getRegex()},nt={...ct,emStrongRDelimAst:Ci,emStrongLDelim:yi,delLDelim:_i,delRDelim:Oi,url:m(/^emailProtocol|^((?:protocol):\/\/|www\.)(?:[a-zA-Z0-9\-]+\.?)+[^\s<]*|^email/).replace("emailProtocol",Gi).replace("protocol",Kt).replace("email",/[A-Za-z0-9._+-]+(@)[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/).getRegex(),_backpedal:/(?:[^?!.,:;*_'"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'"~)]+(?!$))+/,del:/^(~~?)(?=[^\s~])((?:\\[\s\S]|[^\\])*?(?:\\[\s\S]|[^\s~\\]))\1(?=[^~]|$)/,text:m(/^(?:[^a-zA-Z0-9](?=emailProtocol)|(`+|~+|[^`~])(?:(?=[`~])|(?= {2,}\n)|(?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@)|[\s\S]*?(?:(?=[\\<!\[`*~_]|\b_|protocol:\/\/|wwwStart|$)|[^ ](?= {2,}\n)|[^a-zA-Z0-9](?=emailProtocol)|[^a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-](?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@))))/).replace("protocol",Kt).replace(/emailProtocol/g,/(?:mailto|xmpp):/).replace("wwwStart",Yt?"(?<![^\\s*_~(])www\\.":"www\\.").getRegex()},Vi={...nt,br:m(tn).replace("{2,}","*").getRegex(),text:m(nt.text).replace("\\b_","\\b_| {2,}\\n").replace(/\{2,\}/g,"*").getRegex()},ie={normal:lt,gfm:ui,pedantic:di},j={normal:ct,gfm:nt,breaks:Vi,pedantic:Qi};function an(r){return S.numericCharacterReference.test(r)?r.replace(S.numericCharacterReferenceOrAmpersand,(e,t,n)=>{if(t===void 0&&n===void 0)return"&amp;";let i=t===void 0?Number.parseInt(n,16):Number.parseInt(t,10);return i===0||i>1114111||i>=55296&&i<=57343?"�":i===38?"&amp;":String.fromCodePoint(i)}):r}function pt(r,e){let t=r.replace(S.findPipe,(s,a,o)=>{let l=!1,u=a;for(;--u>=0&&o[u]==="\\";)l=!l;return l?"|":" |"}),n=t.split(S.splitPipe),i=0;if(n[0].trim()||n.shift(),n.length>0&&!n.at(-1)?.trim()&&n.pop(),e)if(n.length>e)n.splice(e);else for(;n.length<e;)n.push("");for(;i<n.length;i++)n[i]=n[i].trim().replace(S.slashPipe,"|");return n}function L(r,e,t){let n=r.length;if(n===0)return"";let i=0;for(;i<n;){let s=r.charAt(n-i-1);if(s===e&&!t)i++;else if(s!==e&&t)i++;else break}return r.slice(0,n-i)}function ut(r){let e=r.split(`
`),t=e.length-1;for(;t>=0&&S.blankLine.test(e[t]);)t--;return e.length-t<=2?r:e.slice(0,t+1).join(`
`)}function Q(r){return r.trim().replace(S.multipleSpaceGlobal," ").toLowerCase().toUpperCase().toLowerCase()}function dt(r,e){if(r.indexOf(e[0])===-1&&r.indexOf(e[1])===-1)return-1;let t=0;for(let n=0;n<r.length;n++)if(r[n]==="\\")n++;else if(r[n]===e[0])t++;else if(r[n]===e[1]&&(t--,t<0))return n;return t>0?-2:-1}var G=new WeakMap;function ht(r){let e={"*":-1,_:-1},t=-1,n=r.length;for(let i=0;i<n;i++){let s=r[i];if(s!=="*"&&s!=="_"&&s!=="~")continue;let a=i===0?`
`:r[i-1],o=i+1;for(;o<n&&r[o]===s;)o++;a!==" "&&a!=="	"&&a!==`
`&&a!=="\r"&&a!=="\f"&&(s==="~"?t=i:e[s]=i),i=o-1}return{maskedSrc:r,lastPossibleEmStrongCloserIndex:e,lastPossibleDelCloserIndex:t}}function ln(r,e){let t=ht(e),n=G.get(r);n?n.push(t):G.set(r,[t])}function cn(r){let e=G.get(r);e&&(e.pop(),e.length===0&&G.delete(r))}function Ce(r,e,t){let n=G.get(r)?.at(-1);return n&&n.maskedSrc===e?n.lastPossibleEmStrongCloserIndex[t]:ht(e).lastPossibleEmStrongCloserIndex[t]}function Re(r,e){let t=G.get(r)?.at(-1);return t&&t.maskedSrc===e?t.lastPossibleDelCloserIndex:ht(e).lastPossibleDelCloserIndex}function se(r,e=0){let t=e,n="";for(let i of r)if(i==="	"){let s=4-t%4;n+=" ".repeat(s),t+=s}else n+=i,t++;return n}function Zi(r,e){let t="";for(let n=0;n<r.length;n++){if(r[n]==="`"){let i=e.inline.code.exec(r.slice(n));if(i){t+=i[0],n+=i[0].length-1;continue}}if(r[n]==="\\"&&(r[n+1]==="["||r[n+1]==="]")){t+=r[n+1],n++;continue}t+=r[n]}return t}function pn(r,e,t,n,i){let s=e.href,a=e.title||null,o=Zi(r[1],i),l=r[0].charAt(0)==="!",u=n.state.inLink,p=n.state.linkEmitted,g=n.state.inRawBlock;n.state.inLink=!0,n.state.linkEmitted=!1;let h=n.inlineTokens(o),d=n.state.linkEmitted;if(n.state.linkEmitted=p,n.state.inLink=u,!l){if(d){n.state.inRawBlock=g;return}n.state.linkEmitted=!0}return{type:l?"image":"link",raw:t,href:s,title:a,text:o,tokens:h}}function Ki(r,e,t){let n=r.match(t.other.indentCodeCompensation);if(n===null)return e;let i=n[1];return e.split(`
`).map(s=>{let a=s.match(t.other.beginningSpace);if(a===null)return s;let[o]=a;return s.slice(Math.min(o.length,i.length))}).join(`
`)}function un(r,e,t,n){if(!e.includes("<"))return!1;for(let i=0;i<e.length;i++){if(e[i]==="\\"){i++;continue}if(e[i]==="`"){let o=n.inline.code.exec(e.slice(i));if(o){i+=o[0].length-1;continue}}if(e[i]!=="<")continue;let s=r.slice(t+i),a=n.inline.tag.exec(s)||n.inline.autolink.exec(s);if(a){if(a[0].length>e.length-i)return!0;i+=a[0].length-1}}return!1}var D=class{options;rules;lexer;constructor(e){this.options=e||Se}space(e){let t=this.rules.block.newline.exec(e);if(t&&t[0].length>0)return{type:"space",raw:t[0]}}code(e){let t=this.rules.block.code.exec(e);if(t){let n=this.options.pedantic?t[0]:ut(t[0]),i=n.replace(this.rules.other.codeRemoveIndent,"");return{type:"code",raw:n,codeBlockStyle:"indented",text:i}}}fences(e){let t=this.rules.block.fences.exec(e);if(t){let n=t[0],i=Ki(n,t[3]||"",this.rules);return t[3]!==void 0&&(i===""||i.endsWith(`
`))&&(i+=`
`),{type:"code",raw:n,lang:t[2]?t[2].trim().replace(this.rules.inline.anyPunctuation,"$1"):t[2],text:i}}}heading(e){let t=this.rules.block.heading.exec(e);if(t){let n=t[2].trim();if(this.rules.other.endingHash.test(n)){let i=L(n,"#");(this.options.pedantic||!i||this.rules.other.endingSpaceTabChar.test(i))&&(n=i.trim())}return{type:"heading",raw:L(t[0],`
`),depth:t[1].length,text:n,tokens:this.lexer.inline(n)}}}hr(e){let t=this.rules.block.hr.exec(e);if(t)return{type:"hr",raw:L(t[0],`
`)}}blockquote(e){let t=this.rules.block.blockquote.exec(e);if(t){let n=L(t[0],`
`).split(`
`),i="",s="",a=[];for(;n.length>0;){let o=!1,l=[],u;for(u=0;u<n.length;u++)if(this.rules.other.blockquoteStart.test(n[u]))l.push(n[u]),o=!0;else if(!o)l.push(n[u]);else break;n=n.slice(u);let p=l.join(`
`),g=p.replace(this.rules.other.blockquoteMarkerWhitespace,(f,x,k)=>k.startsWith(" ")?x+" "+k.slice(1):x+se(k,x.length)).replace(this.rules.other.blockquoteSetextReplace,`
    $1`).replace(this.rules.other.blockquoteSetextReplace2,"");i=i?`${i}
${p}`:p,s=s?`${s}
${g}`:g;let h=this.lexer.state.top;if(this.lexer.state.top=!0,this.lexer.blockTokens(g,a,!0),this.lexer.state.top=h,n.length===0)break;let d=a.at(-1);if(d?.type==="code"||d?.type==="heading"||d?.type==="hr"||d?.type==="html"||d?.type==="table")break;if(d?.type==="blockquote"){let f=d,x=n.join(`
`),k=f.raw+`
`+x.replace(this.rules.other.blockquoteSetextReplace2,""),b=this.blockquote(k);a[a.length-1]=b;let v=k.substring(b.raw.length).replace(/^\n/,""),P=v?v.split(`
`).length:0,w=P?n.slice(0,-P):n;if(w.length>0&&(i=`${i}
${w.join(`
`)}`),s=s.substring(0,s.length-f.text.length)+b.text,n=n.slice(w.length),n.length>0&&this.rules.other.blockquoteStart.test(n[0]))continue;break}else if(d?.type==="list"){let f=d,x=f.raw+`
`+n.join(`
`),k=this.list(x);a[a.length-1]=k;let b=k.raw.length>f.raw.length?x.slice(f.raw.length+1,k.raw.length).split(`
`).length:0;if(b>0){let v=n.slice(0,b).join(`
`);i=`${i}
${v}`,s=`${s}
${v}`}if(n=n.slice(b),n.length>0&&!this.rules.other.blockquoteStart.test(n[0]))break;continue}}return{type:"blockquote",raw:i,tokens:a,text:s}}}list(e){let t=this.rules.block.list.exec(e);if(t){if(!this.options.pedantic&&this.lexer.state.lastToken?.type==="text"&&!this.rules.other.listInterruptsParagraph.test(e))return;let n=e,i=()=>n.length-e.length,s=t[1].trim(),a=s.length>1,o={type:"list",raw:"",ordered:a,start:a?+s.slice(0,-1):"",loose:!1,items:[]};s=a?`\\d{1,9}\\${s.slice(-1)}`:`\\${s}`,this.options.pedantic&&(s=a?s:"[*+-]");let l=this.rules.other.listItemRegex(s),u=!1;for(;e;){let h=!1,d="";if(!(t=l.exec(e))||this.rules.block.hr.test(e))break;let f=i();e=e.substring(t[0].length);let x=t[2].split(`
`,1)[0],k=t[1].length,b=this.options.pedantic?se(x,k):x.replace(this.rules.other.leadingSpaceTab,q=>se(q,k)),v=e.split(`
`,1)[0],P=!b.trim(),w=0;if(this.options.pedantic?(w=2,d=b.trimStart()):P?w=k+1:(w=b.search(this.rules.other.nonSpaceChar),w=w>4?1:w,d=b.slice(w),w+=k),P&&this.rules.other.blankLine.test(v)&&(e=e.substring(v.length+1),h=!0),!h){let q=this.rules.other.nextBulletRegex(w),Z=this.rules.other.hrRegex(w),oe=this.rules.other.fencesBeginRegex(w),I=this.options.pedantic?this.rules.other.pedanticHeadingBeginRegex(w):this.rules.other.headingBeginRegex(w),K=this.rules.other.htmlBeginRegex(w),ae=this.rules.other.blockquoteBeginRegex(w),Ge=!1;for(;e;){let bt=e.split(`
`,1)[0],z;if(v=bt,this.options.pedantic?(v=v.replace(this.rules.other.listReplaceNesting,"  "),z=v):z=v.replace(this.rules.other.leadingSpaceTab,E=>se(E)),oe.test(v)||I.test(v)||K.test(v)||ae.test(v)||q.test(v)||Z.test(v))break;if(z.search(this.rules.other.nonSpaceChar)>=w||!v.trim())d+=`
`+z.slice(w),Ge=!1;else{if(P)break;let E=b;if(!this.options.pedantic&&!d.includes(`
`)&&!b.includes("	")){let B;for(;!Z.test(E)&&(B=this.rules.other.nestedBlockMarker.exec(E));)E=E.slice(B[0].length);if(!E.trim())break}if(E.replace(this.rules.other.tabCharGlobal,"    ").search(this.rules.other.nonSpaceChar)>=4||oe.test(E)||I.test(E)||K.test(E)||Z.test(E))break;if(!this.options.pedantic&&!Ge){let B=b.replace(this.rules.other.nestedContainerMarkers,"");if(this.rules.block.fences.test(B)||this.rules.block.heading.test(B)||this.rules.block.hr.test(B))break}let Cn=!this.options.pedantic&&/^ {0,3}(?:=+|-+) *$/.test(v)&&this.rules.block.lheading.test(`${b}
${v}`)?`    ${z.replace(/^ {0,3}/,"")}`:v;d+=`
`+Cn,Ge=!0}P=!v.trim(),e=e.substring(bt.length+1),b=z.slice(w)}}let V=n.slice(f,i());o.loose||(u?o.loose=!0:this.rules.other.doubleBlankLine.test(V)&&(u=!0)),o.items.push({type:"list_item",raw:V,task:!!this.options.gfm&&this.rules.other.listIsTask.test(d),loose:!1,text:d,tokens:[]})}let p=o.items.at(-1);if(p)p.raw=p.raw.trimEnd(),p.text=p.text.trimEnd();else return;o.raw=n.slice(0,i()).trimEnd();let g=[];for(let h of o.items)if(this.lexer.state.top=!1,g.push(this.lexer.inlineQueue.length),h.tokens=this.lexer.blockTokens(h.text,[]),!o.loose){let d=h.tokens.filter(x=>x.type==="space"),f=d.length>0&&d.some(x=>this.rules.other.anyLine.test(x.raw));o.loose=f}for(let h=0;h<o.items.length;h++){let d=o.items[h],f=d.tokens[0];if(d.task&&(f?.type==="text"||f?.type==="paragraph")){d.text=d.text.replace(this.rules.other.listReplaceTask,""),f.raw=f.raw.replace(this.rules.other.listReplaceTask,""),f.text=f.text.replace(this.rules.other.listReplaceTask,"");let x=this.lexer.inlineQueue;for(let b=g[h];b<x.length;b++)if(x[b].tokens===f.tokens){x[b].src=x[b].src.replace(this.rules.other.listReplaceTask,"");break}let k=this.rules.other.listTaskCheckbox.exec(d.raw);if(k){let b={type:"checkbox",raw:k[0]+" ",checked:k[0]!=="[ ]"};d.checked=b.checked,o.loose?d.tokens[0]&&["paragraph","text"].includes(d.tokens[0].type)&&"tokens"in d.tokens[0]&&d.tokens[0].tokens?(d.tokens[0].raw=b.raw+d.tokens[0].raw,d.tokens[0].text=b.raw+d.tokens[0].text,d.tokens[0].tokens.unshift(b)):d.tokens.unshift({type:"paragraph",raw:b.raw,text:b.raw,tokens:[b]}):d.tokens.unshift(b)}}else d.task&&(d.task=!1)}if(o.loose)for(let h of o.items){h.loose=!0;for(let d of h.tokens)d.type==="text"&&(d.type="paragraph")}return o}}html(e){let t=this.rules.block.html.exec(e);if(t){if(this.lexer.state.lastToken?.type==="paragraph"&&!this.rules.other.htmlBeginRegex(4).test(e))return;let n=ut(t[0]);return{type:"html",block:!0,raw:n,pre:t[1]==="pre"||t[1]==="script"||t[1]==="style",text:n}}}def(e){let t=this.rules.block.def.exec(e);if(t){if(!this.rules.other.startAngleBracket.test(t[2])&&dt(t[2],"()")!==-1)return;let n=Q(t[1]),i=t[2]?t[2].replace(this.rules.other.hrefBrackets,"$1").replace(this.rules.inline.anyPunctuation,"$1"):"",s=t[3]?t[3].substring(1,t[3].length-1).replace(this.rules.inline.anyPunctuation,"$1"):t[3];return{type:"def",tag:n,raw:L(t[0],`
`),href:i,title:s}}}table(e){let t=this.rules.block.table.exec(e);if(!t||!this.rules.other.tableDelimiter.test(t[2]))return;let n=pt(t[1]),i=t[2].replace(this.rules.other.tableAlignChars,"").split("|"),s=t[3]?.trim()?t[3].replace(this.rules.other.tableRowBlankLine,"").split(`
`):[],a={type:"table",raw:L(t[0],`
`),header:[],align:[],rows:[]};if(n.length===i.length){for(let o of i)this.rules.other.tableAlignRight.test(o)?a.align.push("right"):this.rules.other.tableAlignCenter.test(o)?a.align.push("center"):this.rules.other.tableAlignLeft.test(o)?a.align.push("left"):a.align.push(null);for(let o=0;o<n.length;o++)a.header.push({text:n[o],tokens:this.lexer.inline(n[o]),header:!0,align:a.align[o]});for(let o of s)a.rows.push(pt(o,a.header.length).map((l,u)=>({text:l,tokens:this.lexer.inline(l),header:!1,align:a.align[u]})));return a}}lheading(e){let t=this.rules.block.lheading.exec(e);if(t){let n=t[1].trim();return{type:"heading",raw:L(t[0],`
`),depth:t[2].charAt(0)==="="?1:2,text:n,tokens:this.lexer.inline(n)}}}paragraph(e){let t=this.rules.block.paragraph.exec(e);if(t){let n=t[1].charAt(t[1].length-1)===`
`?t[1].slice(0,-1):t[1];return{type:"paragraph",raw:t[0],text:n,tokens:this.lexer.inline(n)}}}text(e){let t=this.rules.block.text.exec(e);if(t)return{type:"text",raw:t[0],text:t[0],tokens:this.lexer.inline(t[0])}}escape(e){if(e.charCodeAt(0)!==92)return;let t=this.rules.inline.escape.exec(e);if(t)return{type:"escape",raw:t[0],text:t[1]}}tag(e){if(e.charCodeAt(0)!==60)return;let t=this.rules.inline.tag.exec(e);if(t)return!this.lexer.state.inLink&&this.rules.other.startATag.test(t[0])?this.lexer.state.inLink=!0:this.lexer.state.inLink&&this.rules.other.endATag.test(t[0])&&(this.lexer.state.inLink=!1),!this.lexer.state.inRawBlock&&this.rules.other.startPreScriptTag.test(t[0])?this.lexer.state.inRawBlock=!0:this.lexer.state.inRawBlock&&this.rules.other.endPreScriptTag.test(t[0])&&(this.lexer.state.inRawBlock=!1),{type:"html",raw:t[0],inLink:this.lexer.state.inLink,inRawBlock:this.lexer.state.inRawBlock,block:!1,text:t[0]}}link(e){if(this.lexer.state.linkParenPossible===!1)return;let t=e.charCodeAt(0);if(t!==91&&t!==33)return;let n=this.rules.inline.link.exec(e);if(n){let i=n[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&un(e,n[1],i,this.rules))return;let s=n[2].trim();if(!this.options.pedantic&&this.rules.other.startAngleBracket.test(s)){if(!this.rules.other.endAngleBracket.test(s))return;let u=L(s.slice(0,-1),"\\");if((s.length-u.length)%2===0)return}else{let u=dt(n[2],"()");if(u===-2)return;if(u>-1){let g=(n[0].indexOf("!")===0?5:4)+n[1].length+u;n[2]=n[2].substring(0,u),n[0]=n[0].substring(0,g).trim(),n[3]=""}}let a=L(n[0].slice(0,-1),"\\");if((n[0].length-a.length)%2===0)return;let o=n[2],l="";if(this.options.pedantic){let u=this.rules.other.pedanticHrefTitle.exec(o);u&&(o=u[1],l=u[3])}else l=n[3]?n[3].slice(1,-1):"";return o=o.trim(),this.rules.other.startAngleBracket.test(o)&&(this.options.pedantic&&!this.rules.other.endAngleBracket.test(s)?o=o.slice(1):o=o.slice(1,-1)),pn(n,{href:o&&o.replace(this.rules.inline.anyPunctuation,"$1"),title:l&&l.replace(this.rules.inline.anyPunctuation,"$1")},n[0],this.lexer,this.rules)}}reflink(e,t){let n=e.charCodeAt(0);if(n!==91&&n!==33)return;let i;if((i=this.rules.inline.reflink.exec(e))||(i=this.rules.inline.nolink.exec(e))){let s=i[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&un(e,i[1],s,this.rules))return;let a=t[Q(i[2]||i[1])];if(!a){let o=i[0].charAt(0);return{type:"text",raw:o,text:o}}return pn(i,a,i[0],this.lexer,this.rules)}}emStrong(e,t,n=""){let i=this.rules.inline.emStrongLDelim.exec(e);if(!i||!i[1]&&!i[2]&&!i[3]&&!i[4])return;let s=i[0][0],a=n===s,o=t.length-e.length,l=o;for(;!this.options.pedantic&&l>0&&t[l-1]===s;)l--;let u=[...t.slice(Math.max(0,l-2),l)].at(-1)??"",p=u==="*"||u==="_"||!!this.rules.inline.punctuation.exec(u);l<o&&(n=u);let g=l<o?p:n==="*"||n==="_"||!!this.rules.inline.punctuation.exec(n);if(i[4]&&n.match(this.rules.other.unicodeAlphaNumeric))return;let h=i[1]||i[3]||"";if(!h||!n||g){let d=[...i[0]].length-1,f,x,k=d,b=0,v=o-l+d,P=!this.options.pedantic&&!!u.trim()&&(!!h||s==="*"&&!p);if(s!=="*"&&s!=="_")return;let w=s==="*"?this.rules.inline.emStrongRDelimAst:this.rules.inline.emStrongRDelimUnd,V=Ce(this,t,s),q=t.length-e.length+d;if(V<q)return;t=t.slice(-1*e.length+d);let Z=V-q;for(w.lastIndex=0;(i=w.exec(t))!==null&&!(i.index>Z);){if(f=i[1]||i[2]||i[3]||i[4]||i[5]||i[6],!f)continue;if(x=[...f].length,i[3]||i[4]){k+=x;continue}else if((i[5]||i[6]||P)&&v%3&&!((v+x)%3)){if(a&&(i[5]||i[6]))break;b+=x;continue}if(k-=x,k>0)continue;x=Math.min(x,x+k+b);let oe=[...i[0]][0].length,I=e.slice(0,d+i.index+oe+x);if(Math.min(d,x)%2){let ae=I.slice(1,-1);return{type:"em",raw:I,text:ae,tokens:this.lexer.inlineTokens(ae)}}let K=I.slice(2,-2);return{type:"strong",raw:I,text:K,tokens:this.lexer.inlineTokens(K)}}}}codespan(e){if(e.charCodeAt(0)!==96)return;let t=this.rules.inline.code.exec(e);if(t){let n=t[2].replace(this.rules.other.newLineCharGlobal," "),i=this.rules.other.nonSpaceChar.test(n),s=this.rules.other.startingSpaceChar.test(n)&&this.rules.other.endingSpaceChar.test(n);return i&&s&&(n=n.substring(1,n.length-1)),{type:"codespan",raw:t[0],text:n}}}br(e){let t=e.charCodeAt(0);if(t!==32&&t!==92&&t!==10)return;let n=this.rules.inline.br.exec(e);if(n)return{type:"br",raw:n[0]}}del(e,t,n=""){if(e.charCodeAt(0)!==126)return;let i=this.rules.inline.delLDelim.exec(e);if(!i)return;if(!(i[1]||"")||!n||this.rules.inline.punctuation.exec(n)){let a=[...i[0]].length-1,o,l,u=a,p=this.rules.inline.delRDelim,g=Re(this,t),h=t.length-e.length+a;if(g<h)return;t=t.slice(-1*e.length+a);let d=g-h;for(p.lastIndex=0;(i=p.exec(t))!==null&&!(i.index>d);){if(o=i[1]||i[2]||i[3]||i[4]||i[5]||i[6],!o||(l=[...o].length,l!==a))continue;if(i[3]||i[4]){u+=l;continue}if(u-=l,u>0)continue;l=Math.min(l,l+u);let f=[...i[0]][0].length,x=e.slice(0,a+i.index+f+l),k=x.slice(a,-a);return{type:"del",raw:x,text:k,tokens:this.lexer.inlineTokens(k)}}}}autolink(e){if(e.charCodeAt(0)!==60)return;let t=this.rules.inline.autolink.exec(e);if(t){let n,i;return t[2]==="@"?(n=t[1],i="mailto:"+n):(n=t[1],i=n),{type:"link",raw:t[0],text:n,href:i,autolink:!0,tokens:[{type:"text",raw:n,text:n}]}}}url(e){let t;if(t=this.rules.inline.url.exec(e)){let n,i;if(t[2]==="@")n=t[0],i="mailto:"+n;else{let s;do s=t[0],t[0]=this.rules.inline._backpedal.exec(t[0])?.[0]??"";while(s!==t[0]);n=t[0],t[1]==="www."?i="http://"+t[0]:i=t[0]}return{type:"link",raw:t[0],text:n,href:i,autolink:!0,tokens:[{type:"text",raw:n,text:n}]}}}inlineText(e){let t=this.rules.inline.text.exec(e);if(t){let n=this.lexer.state.inRawBlock;return{type:"text",raw:t[0],text:n?t[0]:an(t[0]),escaped:n}}}};var re=class r{tokens;options;state;inlineQueue;tokenizer;constructor(e){this.tokens=[],this.tokens.links=Object.create(null),this.options=e||Se,this.options.tokenizer=this.options.tokenizer||new D,this.tokenizer=this.options.tokenizer,this.tokenizer.options=this.options,this.tokenizer.lexer=this,this.inlineQueue=[],this.state={inLink:!1,inRawBlock:!1,linkEmitted:!1,linkParenPossible:!0,top:!0};let t={other:S,block:ie.normal,inline:j.normal};this.options.pedantic?(t.block=ie.pedantic,t.inline=j.pedantic):this.options.gfm&&(t.block=ie.gfm,this.options.breaks?t.inline=j.breaks:t.inline=j.gfm),this.tokenizer.rules=t}static get rules(){return{block:ie,inline:j}}static lex(e,t){return new r(t).lex(e)}static lexInline(e,t){return new r(t).inlineTokens(e)}lex(e){e=e.replace(S.carriageReturn,`
`),this.blockTokens(e,this.tokens);for(let t=0;t<this.inlineQueue.length;t++){let n=this.inlineQueue[t];this.state.inRawBlock=!1,this.inlineTokens(n.src,n.tokens)}return this.inlineQueue=[],this.tokens}blockTokens(e,t=[],n=!1){this.tokenizer.lexer=this;let i=this.state.lastToken;this.options.pedantic&&(e=e.replace(S.tabCharGlobal,"    ").replace(S.spaceLine,""));let s=1/0,a,o=this.options.gfm&&!this.options.pedantic&&this.tokenizer.paragraph===D.prototype.paragraph;for(;e;){if(e.length<s)s=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}this.state.lastToken=t.at(-1);let l;if(this.options.extensions?.block?.some(p=>(l=p.call({lexer:this},e,t))?(e=e.substring(l.raw.length),t.push(l),!0):!1))continue;if(l=this.tokenizer.space(e)){e=e.substring(l.raw.length);let p=t.at(-1);l.raw.length===1&&p!==void 0?p.raw+=`
`:t.push(l);continue}if(l=this.tokenizer.code(e)){e=e.substring(l.raw.length);let p=t.at(-1);p?.type==="paragraph"||p?.type==="text"?(p.raw+=(p.raw.endsWith(`
`)?"":`
`)+l.raw,p.text+=`
`+l.text,this.inlineQueue.at(-1).src=p.text):t.push(l);continue}if(l=this.tokenizer.fences(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.heading(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.hr(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.blockquote(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.list(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.html(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.def(e)){e=e.substring(l.raw.length);let p=t.at(-1);p?.type==="paragraph"||p?.type==="text"?(p.raw+=(p.raw.endsWith(`
`)?"":`
`)+l.raw,p.text+=`
`+l.raw,this.inlineQueue.at(-1).src=p.text):(this.tokens.links[l.tag]||(this.tokens.links[l.tag]={href:l.href,title:l.title}),t.push(l));continue}if(l=this.tokenizer.table(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.lheading(e)){e=e.substring(l.raw.length),t.push(l);continue}let u=e;if(this.options.extensions?.startBlock){let p=1/0,g=e.slice(1),h;this.options.extensions.startBlock.forEach(d=>{h=d.call({lexer:this},g),typeof h=="number"&&h>=0&&(p=Math.min(p,h))}),p<1/0&&p>=0&&(u=e.substring(0,p+1))}if(this.state.top&&(l=this.tokenizer.paragraph(u))){let p=t.at(-1);(n||p===a&&o)&&p?.type==="paragraph"?(p.raw+=(p.raw.endsWith(`
`)?"":`
`)+l.raw,p.text+=`
`+l.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=p.text,a=p):(t.push(l),a=l),n=u.length!==e.length,e=e.substring(l.raw.length);continue}if(l=this.tokenizer.text(e)){e=e.substring(l.raw.length);let p=t.at(-1);p?.type==="text"?(p.raw+=(p.raw.endsWith(`
`)?"":`
`)+l.raw,p.text+=`
`+l.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=p.text):t.push(l);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return this.state.top=!0,this.state.lastToken=i,t}inline(e,t=[]){return this.inlineQueue.push({src:e,tokens:t}),t}linkInText(e){if(!e.includes("["))return!1;let t=this.tokenizer.rules.inline.link;for(let n of e.matchAll(this.tokenizer.rules.inline.blockSkip))if(t.test(n[0])&&e.charAt(n.index-1)!=="!")return!0;for(let n of e.matchAll(this.tokenizer.rules.inline.reflinkSearch)){let i=n[0],s=i.lastIndexOf("[");if(!(i.charAt(0)==="!"||!Object.hasOwn(this.tokens.links,Q(i.slice(s+1,-1))))&&!(s>1&&this.linkInText(i.slice(1,s-1))))return!0}return!1}inlineTokens(e,t=[]){this.tokenizer.lexer=this;let n=this.state.linkParenPossible;this.state.linkParenPossible=e.includes(")");try{return this.#t(e,t)}finally{this.state.linkParenPossible=n}}#t(e,t){let n=e.includes("*")||e.includes("_")||e.includes("~"),i=n||this.options.hooks?.emStrongMask||this.tokenizer.emStrong!==D.prototype.emStrong||this.tokenizer.del!==D.prototype.del?this.#i(e):e;if(!n)return this.#e(e,i,t);ln(this.tokenizer,i);try{return this.#e(e,i,t)}finally{cn(this.tokenizer)}}#e(e,t,n){let i=!1,s="",a=1/0;for(;e;){if(e.length<a)a=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}i||(s=""),i=!1;let o;if(this.options.extensions?.inline?.some(p=>(o=p.call({lexer:this},e,n))?(e=e.substring(o.raw.length),n.push(o),!0):!1))continue;if(o=this.tokenizer.escape(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.tag(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.link(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.reflink(e,this.tokens.links)){e=e.substring(o.raw.length);let p=n.at(-1);o.type==="text"&&p?.type==="text"?(p.raw+=o.raw,p.text+=o.text):n.push(o);continue}let l=e[0];if(l==="*"||l==="_"){let p=t.length-e.length;if(Ce(this.tokenizer,t,l)<=p){let h=1;for(;h<e.length&&e.charCodeAt(h)===l.charCodeAt(0);)h++;let d=e.substring(0,h),f=n.at(-1);f?.type==="text"&&!f.escaped?(f.raw+=d,f.text+=d):n.push({type:"text",raw:d,text:d,escaped:!1}),e=e.substring(h),s=l,i=!0;continue}}else if(l==="~"){let p=t.length-e.length;if(Re(this.tokenizer,t)<=p){let h=1;for(;h<e.length&&e.charCodeAt(h)===126;)h++;let d=e.substring(0,h),f=n.at(-1);f?.type==="text"&&!f.escaped?(f.raw+=d,f.text+=d):n.push({type:"text",raw:d,text:d,escaped:!1}),e=e.substring(h),s=l,i=!0;continue}}if(o=this.tokenizer.emStrong(e,t,s)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.codespan(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.br(e)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.del(e,t,s)){e=e.substring(o.raw.length),n.push(o);continue}if(o=this.tokenizer.autolink(e)){e=e.substring(o.raw.length),n.push(o);continue}if(!this.state.inLink&&(o=this.tokenizer.url(e))){e=e.substring(o.raw.length),n.push(o);continue}let u=e;if(this.options.extensions?.startInline){let p=1/0,g=e.slice(1),h;this.options.extensions.startInline.forEach(d=>{h=d.call({lexer:this},g),typeof h=="number"&&h>=0&&(p=Math.min(p,h))}),p<1/0&&p>=0&&(u=e.substring(0,p+1))}if(o=this.tokenizer.inlineText(u)){e=e.substring(o.raw.length),o.raw.slice(-1)!=="_"&&(s=o.raw.slice(-1)),i=!0;let p=n.at(-1);p?.type==="text"?(p.raw+=o.raw,p.text+=o.text):n.push(o);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return n}#n(e){let{blockSkip:t,tag:n,autolink:i}=this.tokenizer.rules.inline,s="",a=0,o;for(t.lastIndex=0;o=t.exec(e);){let l=o.index+(o[2]?o[2].length:0),u=o.index+o[0].length;if(e.charAt(l)==="<"){let p=e.slice(l),g=n.exec(p)||i.exec(p);if(!g){t.lastIndex=l+1;continue}u=l+g[0].length,t.lastIndex=u}s+=e.slice(a,l)+"["+"a".repeat(u-l-2)+"]",a=u}return s+e.slice(a)}#i(e){let t=e;if(this.tokens.links&&e.includes("[")){let n=this.tokenizer.rules.inline.reflinkSearch,i=s=>{let a=s.lastIndexOf("[");if(!Object.hasOwn(this.tokens.links,Q(s.slice(a+1,-1))))return s;if(a>1&&s.charAt(0)!=="!"){let o=s.slice(1,a-1);if(this.linkInText(o))return"["+o.replace(n,i)+"]["+"a".repeat(s.length-a-2)+"]"}return"["+"a".repeat(s.length-2)+"]"};t=t.replace(n,i)}return t=t.replace(this.tokenizer.rules.inline.anyPunctuationOutsideCode,(n,i,s)=>s?"+".repeat(n.length):i?i+n.slice(i.length,-i.length).replace(/`/g,"+")+i:n),t=this.#n(t),t=this.options.hooks?.emStrongMask?.call({lexer:this},t)??t,t}infiniteLoopError(e){let t="Infinite loop on byte: "+e;if(this.options.silent)console.error(t);else throw new Error(t)}};var Yi=/(?:^|\n)[ \t]*(?:>[ \t]*)*(?:[-+*=_>]+|#{1,6}|\d{1,9}[.)]?|`{1,2}|~{1,2})[ \t]*$/,Ji=/(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t]*\|?[-:| \t]*)?$/,Xi=/\n[ \t]*(?:`{1,2}|~{1,2})$/,es=/(?:^|\n) {0,3}<\/?(?:[a-zA-Z](?:[^<>"]|"[^"]*")*(?:"[^"]*)?)?$/,ts=/&#?\w{0,8}$/,ns=/^\s*(?:(?:[-*+>]|\d+[.)])\s+)*(?:`{3,}|~{3,})/,is=/(?:^|\n)(?:[ \t]*(?=\n)|[ \t]*(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t]+)/g,ss=/^(?:\*+|_+|~~+|~$)/,gt=/[\p{L}\p{N}]/u;function dn({type:r,raw:e}){if(e.split(`
`).filter(s=>ns.test(s)).length%2===1||r==="code")return e.replace(Xi,"");let n=e.replace(Yi,"").replace(es,"");r!=="table"&&(n=n.replace(Ji,""));let i=0;for(let s of n.matchAll(is))i=s.index+s[0].length;return r==="table"&&(i=Math.max(i,n.lastIndexOf("|")+1)),n.slice(0,i)+rs(n.slice(i).replace(ts,""))}function rs(r){let e=[];for(let t=0;t<r.length;){let n=r.slice(t);if(n[0]==="\\")t+=2;else if(n[0]==="`"){let i=/^`+/.exec(n)?.[0]??"`",s=n.indexOf(i,i.length);if(s<0){let a=n.length>i.length?n+i:"";return ft(r.slice(0,t)+a,e)}t+=s+i.length}else if(/^!?\[/.test(n)){let i=/^!?\[[^\]\n]*\]\([^()\n]*\)/.exec(n),s=/^!?\[([^\]\n]*)(?:\](?:\([^()\n]*)?)?$/.exec(n);s?r=r.slice(0,t)+(s[1]??""):t+=i?.[0].length??1}else{let i=ss.exec(n)?.[0],s=i?.length===n.length,a=i?os(i,r[t-1]??" ",n[i.length]??" ",e):0;if(i&&s&&a)return ft(r.slice(0,t+i.length-a),e);t+=i?.length??1}}return ft(r,e)}function os(r,e,t,n){let i=r[0]??"",s=r.length,a=i==="_"&&gt.test(t);for(;s&&e.trim()&&!a&&n.at(-1)?.startsWith(i);){let o=n.at(-1)?.length??0;if(o>s)return s;n.pop(),s-=o}return!s||!t.trim()||i==="_"&&gt.test(e)?i==="_"&&gt.test(e)&&!n.length?0:s:(s%2&&n.push(i),s>1&&n.push(i.repeat(2)),0)}function ft(r,e){return r.trimEnd()+[...e].reverse().join("")}var as=/<\/?[a-zA-Z][\w:-]*(?:\s(?:[^<>"'\n]|\n(?!\s*\n)|"[^"\n]*"|'[^'\n]*')*)?>/.source,ls=new RegExp(`^(?: {0,3}${as}(?:[^\\n]*>)?[ \\t]*(?:\\n|$))+`),cs={...Te(),breaks:!0,extensions:{renderers:{},childTokens:{},startBlock:[r=>r.match(/^ {0,3}<[a-zA-Z/]/m)?.index],block:[r=>{let e=ls.exec(r)?.[0];return e?{type:"markup",raw:e}:void 0}]}},ps={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:" ",ndash:"–",mdash:"—",hellip:"…"};function Le(r,e=!1){let t=[],n=0;for(let s of hn(r)){let a=n+s.raw.length;Ae(s)&&t.push({start:n,end:a,shown:s.raw.trimEnd(),token:s}),n=a}let i=t.at(-1);if(e&&i&&!r.endsWith(`

`)){let s=dn(i.token),a=hn(s).find(Ae);t.pop(),a&&t.push({...i,shown:s.trimEnd(),token:a})}return t}function hn(r){return new re({...cs}).lex(r)}function Pe(r,e){let t=r;switch(t.type){case"heading":return c("h4",{},..._(t.tokens));case"list":return us(t,e);case"table":return ds(t);case"code":return gn(t.text,e);case"blockquote":return c("blockquote",{},...t.tokens.filter(Ae).map(n=>Pe(n,e)));case"hr":return c("hr");case"paragraph":case"text":return c("p",{},..._(t.tokens??[t]));default:return gn(r.raw.trim(),e)}}function Ae(r){return r.type!=="space"&&r.type!=="def"}function us(r,e){let t=r.ordered?c("ol",{start:Number(r.start||1)}):c("ul");for(let n of r.items){let i=[];for(let s of n.tokens.filter(Ae))s.type==="checkbox"?i.push(n.checked?"☑ ":"☐ "):s.type==="text"?i.push(..._(s.tokens??[s])):i.push(Pe(s,e));t.append(c("li",{},...i))}return t}function ds(r){let e=(i,{tokens:s,align:a})=>{let o=c(i,{},..._(s));return a&&(o.style.textAlign=a),o},t=c("thead",{},c("tr",{},...r.header.map(i=>e("th",i)))),n=c("tbody");for(let i of r.rows)n.append(c("tr",{},...i.map(s=>e("td",s))));return c("div",{className:"table",tabIndex:0,role:"group"},c("table",{},t,n))}function gn(r,e){let t=c("pre",{tabIndex:0,dir:"ltr"},c("code",{textContent:r}));return c("div",{className:"code"},e(r),t)}function _(r){return r.flatMap(e=>{let t=e;switch(t.type){case"strong":return[c("strong",{},..._(t.tokens))];case"em":return[c("em",{},..._(t.tokens))];case"del":return[c("del",{},..._(t.tokens))];case"codespan":return[c("code",{textContent:t.text,dir:"ltr"})];case"br":return[c("br")];case"link":return fn(t.href,_(t.tokens),t.text);case"image":return fn(t.href,[t.text||t.href],t.text);case"escape":return[t.text];case"text":return t.tokens?_(t.tokens):[hs(t.text)];default:return[e.raw]}})}function fn(r,e,t){let n=R(r);if(!n)return e;let i=new URL(n).host,s=F(n,...e);return i&&!t.includes(i)?[s,c("span",{className:"host",textContent:` (${i})`,dir:"ltr"})]:[s]}function hs(r){return r.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g,(e,t,n,i)=>{if(i)return ps[i]??e;let s=t?Number(t):Number.parseInt(n,16);return s>0&&s<=1114111?String.fromCodePoint(s):e})}function Ne(r,e){let t=new O(r),n=Le(r.text).map(({start:s,end:a})=>{let o=t.indexesIn(s,a).map(u=>`[${t.numbers.get(u)}]`),l=r.text.slice(s,a).trimEnd();return o.length?`${l} ${o.join("")}`:l}),i=[...t.numbers].map(([s,a])=>{let{title:o,document:l,uri:u}=t.cited(s).source;return[`[${a}] ${o||l}`,R(u)].filter(Boolean).join(" ")});return[...n,...i.length?[`${e}:
${i.join(`
`)}`]:[]].join(`

`)}function _e({displayName:r,turns:e},t){return r||e?.[0]?.query?.text||t.newSession}function mn(r,e,t,n){let i=_e(r,t),s=c("button",{type:"button",className:"title",textContent:i,dir:"auto"});e&&s.setAttribute("aria-current","true"),s.onclick=n.open;let a=r.endTime??r.startTime,o=c("span",{className:"when",textContent:a?new Date(a).toLocaleDateString():""}),l=(d,f)=>{let x=c("button",{type:"button",className:"icon",textContent:d});return x.setAttribute("aria-label",`${d}: ${i}`),x.onclick=f,x},u=l(r.isPinned?t.unpin:t.pin,n.pin),p=l(t.rename,()=>gs(s,i,t,n)),g=l(t.delete,()=>{if(g.textContent===t.deleteReally)return n.remove();g.textContent=t.deleteReally,g.setAttribute("aria-label",`${t.deleteReally}: ${i}`)}),h=c("div",{className:"buttons"},u,p,l(t.export,n.export),g);return c("li",{"data-pinned":r.isPinned||void 0},s,o,h)}function gs(r,e,t,{rename:n}){let i=c("input",{type:"text",value:e,maxLength:200,"aria-label":t.rename,dir:"auto"}),s=()=>{i.onblur=null,i.replaceWith(r),r.focus()},a=()=>{let o=i.value.trim();s(),o&&o!==e&&n(o)};i.onblur=a,i.onkeydown=o=>{o.isComposing||!["Enter","Escape"].includes(o.key)||(o.preventDefault(),o.stopPropagation(),o.key==="Enter"?a():s())},r.replaceWith(i),i.select()}var fs=10,Ie=class{constructor(e,t,n){this.chat=e;this.texts=t;this.conversation=n;let i=c("h3",{textContent:t.sessions}),s=c("button",{type:"button",textContent:t.close});s.onclick=()=>this.close(),this.search=c("input",{type:"search",placeholder:t.searchSessions,"aria-label":t.searchSessions,dir:"auto"}),this.search.oninput=()=>{this.look()},this.more=c("button",{type:"button",textContent:t.more,hidden:!0}),this.more.onclick=()=>{this.readMore()};let a=c("div",{className:"source-head"},i,s),o=c("div",{className:"source-body"},this.search,this.status,this.rows,this.more);this.node=c("aside",{className:"source",hidden:!0,"aria-label":t.sessions},a,o),this.node.onkeydown=l=>{l.key!=="Escape"||l.defaultPrevented||(l.preventDefault(),this.close())},e.append(this.node)}chat;texts;conversation;node;search;rows=c("ul",{className:"sessions"});status=c("p",{role:"status"});more;list;sessions=[];next="";before;open(e){this.list=this.conversation.sessions,this.before=e,this.sessions=[],this.next=this.search.value="",this.rows.replaceChildren(),this.cover(!0),this.search.focus(),this.readMore()}close(){this.cover(!1),this.before?.focus()}cover(e){this.node.hidden=!e,this.chat.toggleAttribute("data-source",e);for(let t of this.chat.children)t instanceof HTMLElement&&t!==this.node&&(t.inert=e)}async readMore(){let{list:e}=this,t=await e?.read(this.next);e===this.list&&(this.sessions.push(...t?.sessions??[]),this.next=t?.next??"",this.show(t?"":this.texts.notSent))}async look(){this.show("");for(let e=fs;e&&this.next&&this.search.value;e-=1)await this.readMore()}show(e){let t=this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean),n=this.sessions.filter(i=>{let a=[_e(i,this.texts),...(i.turns??[]).map(({query:o})=>o?.text)].join(`
`).toLocaleLowerCase();return t.every(o=>a.includes(o))});n.sort((i,s)=>Number(s.isPinned??!1)-Number(i.isPinned??!1)),this.rows.replaceChildren(...n.map(i=>this.row(i))),this.more.hidden=!this.next,this.status.textContent=e||(n.length?"":this.texts.noSessions)}row(e){let{conversation:t,texts:n}=this,i=e.name??"";return mn(e,i===t.sessionName,n,{open:()=>{t.openSession(i),this.close()},rename:s=>{this.change(e,{displayName:s})},pin:()=>{this.change(e,{isPinned:!e.isPinned})},export:()=>{this.export(e)},remove:()=>{this.remove(e)}})}async change(e,t){let n=await this.list?.change(e.name??"",t);n&&Object.assign(e,t),this.show(n?"":this.texts.notSent)}async remove(e){let t=await this.list?.remove(e.name??"");t&&(this.sessions=this.sessions.filter(n=>n!==e),e.name===this.conversation.sessionName&&this.conversation.startNew()),this.show(t?"":this.texts.notSent),this.search.focus()}async export(e){let t=await this.list?.turns(e.name??"");if(this.show(t?"":this.texts.notSent),!t)return;let n=_e(e,this.texts),i=t.map(({query:o,answer:l})=>`## ${o}

${Ne(l,this.texts.sources)}`),s=new Blob([[`# ${n}`,...i].join(`

`),`
`],{type:"text/markdown"}),a=URL.createObjectURL(s);c("a",{href:a,download:`${n.slice(0,60).replace(/[^\p{L}\p{N} -]/gu,"_")}.md`}).click(),setTimeout(()=>URL.revokeObjectURL(a))}};var xn=Number.POSITIVE_INFINITY;function Oe(r,e=xn,t=xn){let{ranges:n,passage:i}=r,{text:s}=i,a=Math.max((n[0]?.start??0)-e,0),o=(n.at(-1)?.end??0)+t,l=a?["…"]:[],u=a;for(let{start:p,end:g}of n)p<u||(l.push(s.slice(u,p),c("mark",{textContent:s.slice(p,g)})),u=g);return[...l,s.slice(u,o),s.length>o?"…":""]}function Me(r,e){switch(r){case"verbatim":return e.supportVerbatim;case"strong":return e.supportStrong;case"partial":return e.supportPartial;case"weak":return e.supportWeak;default:return""}}var ms="M6 4.6 12 10.6 18 4.6 19.4 6 13.4 12 19.4 18 18 19.4 12 13.4 6 19.4 4.6 18 10.6 12 4.6 6z",xs=832,$e=class{constructor(e,t,n,i){this.texts=e;this.chat=t;this.pageLink=n;this.closed=i;let s=c("button",{type:"button",className:"icon","aria-label":e.closeSource});s.append(C(ms)),s.onclick=()=>this.close();let a=c("div",{className:"source-head"},this.heading,s);this.node=c("aside",{className:"source",part:"source",hidden:!0}),this.node.setAttribute("aria-label",e.sources),this.node.append(a,this.body),new ResizeObserver(()=>this.settle()).observe(t)}texts;chat;pageLink;closed;node;body=c("div",{className:"source-body"});heading=c("h3",{tabIndex:-1});before;get isOpen(){return!this.node.hidden}open(e,t){this.before=e,this.fill(t),this.node.hidden=!1,this.body.scrollTop=0,this.settle(),this.heading.focus(),this.body.querySelector("mark")?.scrollIntoView({block:"nearest"})}close(){this.isOpen&&(this.node.hidden=!0,this.settle(),this.before?.isConnected&&this.before.focus(),this.closed())}fill({number:e,source:t,evidence:n,support:i}){let{texts:s}=this,{heading:a,passage:o}=n,l=t.title||s.untitled;this.heading.textContent=y(s.source,{number:e,title:l}),this.heading.dir="auto";let u=[l,a===l?"":a].filter(Boolean).join(" › "),p=o.page?y(s.page,{page:o.page}):"",g=Me(i,s);this.body.replaceChildren(c("p",{className:"trail",dir:"auto",textContent:[u,p].filter(Boolean).join(" · ")}),...g?[c("p",{className:"support",textContent:g})]:[],c("blockquote",{className:"passage",dir:"auto"},...Oe(n)));let{start:h,end:d}=n.ranges[0]??{start:0,end:0},f=this.pageLink(t,o.text.slice(h,d));f&&this.body.append(f)}settle(){let e=this.isOpen&&this.chat.clientWidth<xs;this.chat.toggleAttribute("data-source",this.isOpen);for(let t of this.chat.children)t instanceof HTMLElement&&t!==this.node&&(t.inert=e)}};var bs=120,ks=200,vs=200,De=class{constructor(e){this.texts=e;this.node.onmouseenter=()=>clearTimeout(this.timer),this.node.onmouseleave=()=>this.hideSoon()}texts;node=c("div",{className:"popover",id:"source",role:"tooltip",hidden:!0});timer;get isOpen(){return!this.node.hidden}show(e,t){clearTimeout(this.timer);let{texts:n}=this,{title:i}=t.source;this.node.replaceChildren(c("b",{textContent:ws(i||n.untitled,t.evidence.passage.page,n),dir:"auto"}),c("p",{className:"passage",dir:"auto"},...Oe(t.evidence,bs,ks)));let s=Me(t.support,n);s&&this.node.append(c("p",{className:"support",textContent:s})),this.node.hidden=!1,this.node.scrollTop=0,this.placeBeside(e)}hide(){clearTimeout(this.timer),this.node.hidden=!0}hideSoon(){clearTimeout(this.timer),this.timer=setTimeout(()=>this.hide(),vs)}placeBeside(e){let{style:t}=this.node;t.left=t.top="0px";let n=e.getBoundingClientRect(),i=this.node.getBoundingClientRect(),s=Math.min(Math.max(n.left-20,12),innerWidth-i.width-12),a=n.top-i.height-6;t.left=`${s}px`,t.top=`${a>8?a:n.bottom+4}px`}};function ws(r,e,t){return e?`${r}, ${y(t.page,{page:e})}`:r}var qe=class{constructor(e,t,n,i){this.texts=t;this.tell=n;this.documents=i;this.popover=new De(t),this.panel=new $e(t,e,(s,a)=>this.pageLink(s,a),()=>this.popover.hide()),this.previewId=this.popover.node.id,e.append(this.panel.node,this.popover.node),e.addEventListener("keydown",s=>{s.key!=="Escape"||!(this.popover.isOpen||this.panel.isOpen)||(s.preventDefault(),this.popover.isOpen?this.popover.hide():this.panel.close())})}texts;tell;documents;previewId;popover;panel;preview(e,t){this.popover.show(e,t)}endPreview(){this.popover.hideSoon()}open(e,t){this.popover.hide(),this.panel.open(e,t);let{title:n,document:i,uri:s}=t.source;this.tell("citation-open",{title:n,document:i,uri:s})}close(){this.popover.hide(),this.panel.close()}pageLink({uri:e,document:t},n){let{texts:i}=this,s=Nt(e,n)||R(e);if(s)return c("p",{},F(s,i.openPage));if(!_t(t))return;let a=c("button",{type:"button",textContent:i.openPage}),o=c("span",{role:"status"});return a.onclick=async()=>{o.textContent="",await this.documents.openDocument(t,n)||(o.textContent=i.notOpened)},c("p",{},a," ",o)}};async function bn(r){try{return await navigator.clipboard.writeText(r),!0}catch{return ys(r)}}function ys(r){let e=document.activeElement,t=document.createElement("textarea");t.value=r,document.body.append(t),t.select();let n=document.execCommand("copy");t.remove();let i=e?.shadowRoot?.activeElement??e;return i instanceof HTMLElement&&i.focus(),n}var Ts=2500;function kn(r,e,t){let n=c("span",{textContent:e,role:"status"}),i=c("button",{type:"button",className:"copy"},n);return vn(i,r,t,s=>n.textContent=s??e),i}function mt(r,e,t,n){let i=c("span",{role:"status"}),s=c("button",{type:"button",className:"icon",title:t,"aria-label":t});return s.append(C(e),i),vn(s,r,n,a=>i.textContent=a??""),s}function vn(r,e,t,n){let i;r.onclick=async()=>{n(await bn(t())?e.copied:e.notCopied),clearTimeout(i),i=setTimeout(()=>n(void 0),Ts)}}var ze=class{constructor(e,t){this.texts=e;this.sources=t}texts;sources;node=c("div",{className:"text",part:"text",dir:"auto"});blocks=[];proof;show(e,t){this.proof=t;let n=e.skippedReasons.length>0,i=e.before.length>e.text.length;this.node.classList.toggle("before",i);let s=i?e.before:e.text,o=(n?[]:Le(s,!N(e.state))).map((l,u)=>{let p=i?[]:t.indexesIn(l.start,l.end),g=JSON.stringify(p.map(d=>[d,t.numbers.get(d)])),h=this.blocks[u];return h&&h.shown===l.shown&&h.marks===g?h:{shown:l.shown,marks:g,node:this.blockWith(l,p,t)}});o.forEach(({node:l},u)=>{let p=this.blocks[u]?.node;p!==l&&(p?p.replaceWith(l):this.node.append(l))});for(let{node:l}of this.blocks.slice(o.length))l.remove();this.blocks=o}blockWith(e,t,n){let{texts:i}=this,s=Pe(e.token,o=>kn(i,i.copy,()=>o));if(!t.length)return s;let a=c("span",{className:"cites"});for(let o of t){let l=u=>u.cited(o,e.start,e.end);a.append(this.mark(l(n),()=>l(this.proof??n)))}return wn(s).append(a),s}mark(e,t){let{texts:n,sources:i}=this,{number:s,source:a}=e,o=c("button",{type:"button",className:"cite",textContent:String(s),"aria-label":y(n.source,{number:s,title:a.title||n.untitled}),"aria-describedby":i.previewId});return o.onmouseenter=o.onfocus=()=>i.preview(o,t()),o.onmouseleave=o.onblur=()=>i.endPreview(),o.onclick=()=>i.open(o,t()),o}};function wn(r){let e=r.lastElementChild;return(r.tagName==="OL"||r.tagName==="UL"||r.tagName==="LI")&&e instanceof HTMLElement&&["LI","OL","UL","P"].includes(e.tagName)?wn(e):r}var Ss="M2 21h4V9H2zm20-11a2 2 0 0 0-2-2h-6.3l1-4.6v-.3c0-.4-.2-.8-.5-1.1L13.2 1 6.6 7.6A2 2 0 0 0 6 9v10a2 2 0 0 0 2 2h9a2 2 0 0 0 1.8-1.2l3-7c.1-.2.2-.5.2-.8z",Es="M22 3h-4v12h4zM2 14a2 2 0 0 0 2 2h6.3l-1 4.6v.3c0 .4.2.8.5 1.1l1 1 6.6-6.6A2 2 0 0 0 18 15V5a2 2 0 0 0-2-2H7a2 2 0 0 0-1.8 1.2l-3 7c-.1.2-.2.5-.2.8z",Cs=2e3,Be=class{constructor(e,t,n){this.turn=e;this.texts=t;this.actions=n;let i=He(Ss,t.helpful),s=He(Es,t.notHelpful);i.onclick=()=>this.judge(!0),s.onclick=()=>this.judge(!1),this.thumbs=[i,s],this.show()}turn;texts;actions;node=c("div",{className:"feedback"});thumbs;said=c("p",{role:"status"});judge(e){this.turn.rating?.isHelpful===e&&this.turn.rating.state!=="failed"||(this.turn.rating={isHelpful:e,reasons:[],comment:"",state:e?"sent":"asked"},this.show(),e||this.node.querySelector("button")?.focus(),this.send())}async send(){let{rating:e}=this.turn;!e||await this.actions.rate(this.turn,e)||e!==this.turn.rating||(e.state="failed",this.show())}show(){let{rating:e}=this.turn;this.thumbs.forEach((n,i)=>n.setAttribute("aria-pressed",String(e?.isHelpful===(i===0))));let t={sent:this.texts.thanks,failed:this.texts.notSent,asked:""};this.said.textContent=e?t[e.state]:"",this.node.replaceChildren(...e?.state==="asked"?[this.form()]:[],this.said)}form(){let{texts:e}=this,t=c("div",{className:"chips"},...Rs(e).map(a=>this.chip(...a))),n=c("textarea",{rows:2,maxLength:Cs,placeholder:e.comment,"aria-label":e.comment,dir:"auto",value:this.turn.rating?.comment??""});n.oninput=()=>{this.turn.rating&&(this.turn.rating.comment=n.value)};let i=c("button",{type:"button",textContent:e.sendFeedback});i.onclick=()=>this.complete();let s=c("div",{role:"group","aria-label":e.whatIsWrong});return s.append(c("p",{textContent:e.whatIsWrong}),t,n,i),s}complete(){let{rating:e}=this.turn;e&&(e.state="sent",this.show(),this.thumbs[1].focus(),(e.reasons.length||e.comment.trim())&&this.send())}chip(e,t){let n=()=>this.turn.rating?.reasons.includes(e)??!1,i=c("button",{type:"button",textContent:t,"aria-pressed":String(n())});return i.onclick=()=>{let{rating:s}=this.turn;s&&(s.reasons=n()?s.reasons.filter(a=>a!==e):[...s.reasons,e],i.setAttribute("aria-pressed",String(n())))},i}};function Rs(r){return[["INACCURATE_RESPONSE",r.reasonInaccurate],["NOT_RELEVANT",r.reasonNotRelevant],["INCOMPREHENSIVE",r.reasonIncomplete],["BAD_CITATION",r.reasonBadSource],["FORMAT_AND_STYLES",r.reasonFormat],["OFFENSIVE_OR_UNSAFE",r.reasonHarmful]]}var As="M16 1H4a2 2 0 0 0-2 2v14h2V3h12zm3 4H8a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm0 16H8V7h11z",Ls="M3.9 12A3.1 3.1 0 0 1 7 8.9h4V7H7a5 5 0 0 0 0 10h4v-1.9H7A3.1 3.1 0 0 1 3.9 12zM8 13h8v-2H8zm9-6h-4v1.9h4a3.1 3.1 0 0 1 0 6.2h-4V17h4a5 5 0 0 0 0-10z",Ps="M17.7 6.3A8 8 0 1 0 19.7 14h-2.1A6 6 0 1 1 12 6c1.7 0 3.1.7 4.2 1.8L13 11h7V4z",Fe=class{node;constructor(e,t,n){let i=He(Ps,t.askAgain);i.onclick=()=>n.ask(e.query);let s=c("div",{className:"buttons"}),{answer:a}=e;if(a.text&&!a.skippedReasons.length&&s.append(mt(t,As,t.copyAnswer,()=>Ne(e.answer,t.sources))),s.append(mt(t,Ls,t.copyLink,()=>vt(e.query)),i),this.node=c("div",{className:"tools"},s),a.state!=="SUCCEEDED"||!a.name)return;let o=new Be(e,t,n);s.append(...o.thumbs),this.node.append(o.node)}};function He(r,e){let t=c("button",{type:"button",className:"icon",title:e,"aria-label":e});return t.append(C(r)),t}function yn(r,e,t){if(!r)return[];let n=c("span",{textContent:r.text||e.contact,dir:"auto"}),i=R(r.uri??"");if(!i)return[n];let s=F(i,e.contactLink);return s.className="contact",s.onclick=()=>t(i),[n,s]}function Tn(r,e,t,n=e.place){if(t!=="nothing")return t==="answer"?e.waiting:e.queued;switch(r.state){case"QUEUED":case"SENT":return e.sending;case"IN_PROGRESS":case"STREAMING":return Ns(r,e,n);case"SUCCEEDED":return r.skippedReasons.length?_s(r.skippedReasons,e,n):r.references.length?e.answered:"";case"FAILED":return Tt(r.error)==="CANCELLED"?e.stopped:r.error?.status==="RESOURCE_EXHAUSTED"?e.failedBusy:e.failed}}function Ns(r,e,t){if(r.resets)return e.rewriting;if(r.text)return e.writing;let{references:n}=r;return n.length?y(e.reading,{count:n.length}):y(e.searching,{place:t})}function _s(r,e,t){let n={place:t};switch(r[0]){case"NON_ANSWER_SEEKING_QUERY_IGNORED":case"NON_ANSWER_SEEKING_QUERY_IGNORED_V2":return y(e.refusedSmallTalk,n);case"ADVERSARIAL_QUERY_IGNORED":return e.refusedHarmful;case"JAIL_BREAKING_QUERY_IGNORED":return y(e.refusedJailbreak,n);case"POTENTIAL_POLICY_VIOLATION":case"CUSTOMER_POLICY_VIOLATION":case"USER_DEFINED_CLASSIFICATION_QUERY_IGNORED":return e.refusedPolicy;default:return y(e.noAnswer,n)}}function Sn(r){let[e]=r.skippedReasons;return["OUT_OF_DOMAIN_QUERY_IGNORED","NO_RELEVANT_CONTENT","LOW_GROUNDED_ANSWER","UNHELPFUL_ANSWER"].includes(e??"")}var Is=3,Os=3,Ms="M3 17.3V21h3.7L17.8 9.9l-3.7-3.7zM20.7 7a1 1 0 0 0 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0l-1.8 1.8 3.7 3.7z",Ue=class{constructor(e,t,n){this.turn=e;this.texts=t;this.actions=n;this.text=new ze(t,n.sources),this.article=c("article",{"aria-label":t.answer},this.state,this.text.node,this.rest),this.node=c("li",{},this.question(),this.article),this.paint()}turn;texts;actions;node;article;state=c("div",{className:"state"});text;rest=c("div");tools;frame;made="";changed(){this.frame??=requestAnimationFrame(()=>{this.frame=void 0,this.paint()})}question(){let{texts:e,turn:t,actions:n}=this,i=c("div",{className:"query",textContent:t.query,dir:"auto"}),s=c("button",{type:"button",className:"icon",title:e.editQuestion,"aria-label":e.editQuestion});return s.append(C(Ms)),s.onclick=()=>n.edit(t.query),c("div",{className:"asked"},s,i)}paint(){let{answer:e}=this.turn,t=new O(e);this.article.setAttribute("aria-busy",String(H(e.state))),this.article.dataset.state=e.state,this.article.toggleAttribute("data-refused",e.skippedReasons.length>0);let n=this.actions.waitsFor(this.turn);this.state.textContent=Tn(e,this.texts,n,this.actions.config.displayName),this.text.show(e,t);let{state:i,relatedQuestions:s,skippedReasons:a,references:o,resets:l}=e,{contact:u}=this.actions.config,p=JSON.stringify([i,[...t.numbers],s,a,o.length,l,u,n]);p!==this.made&&(this.made=p,this.rest.replaceChildren(...a.length?this.help(e):this.sources(t),...n==="nothing"?[]:[this.takeBack()],...this.toolsOf(e),...this.related(e)))}takeBack(){let e=c("button",{type:"button",textContent:this.texts.takeBack});return e.onclick=()=>this.actions.takeBack(this.turn),c("div",{className:"help"},e)}toolsOf({state:e}){return N(e)?(this.tools??=new Fe(this.turn,this.texts,this.actions),[this.tools.node]):[]}sources(e){let t=c("ol",{className:"sources","aria-label":this.texts.sources});for(let n of e.numbers.keys()){let{title:i}=e.cited(n).source,s=c("button",{type:"button",textContent:i||this.texts.untitled,dir:"auto"});s.onclick=()=>this.actions.sources.open(s,new O(this.turn.answer).cited(n)),t.append(c("li",{},s))}return t.childElementCount?[t]:[]}help(e){let{texts:t,actions:n,turn:i}=this,s=[];if(Sn(e)){let l=c("ul",{className:"sources nearest","aria-label":t.nearest});e.references.slice(0,Is).forEach((u,p)=>{let g=tt(u,p),h=ye([],g.passages),d={number:p+1,source:g,evidence:h,support:void 0},f=c("button",{type:"button",textContent:g.title||t.untitled,dir:"auto"});f.onclick=()=>n.sources.open(f,d),l.append(c("li",{},f))}),l.childElementCount&&s.push(c("p",{textContent:t.nearest}),l)}let a=c("button",{type:"button",textContent:t.editQuestion});a.onclick=()=>n.edit(i.query);let o=yn(n.config.contact,t,l=>n.handover(i.query,l));return[...s,c("div",{className:"help"},a,...o)]}related({relatedQuestions:e}){let t=e.slice(0,Os);return xt(t,this.texts.related,n=>this.actions.ask(n))}};function xt(r,e,t){if(!r.length)return[];let n=c("div",{className:"related",role:"group","aria-label":e});for(let i of r){let s=c("button",{type:"button",textContent:i,dir:"auto"});s.onclick=()=>t(i),n.append(s)}return[n]}function En(r,{starterQuestions:e=[]},t){let n=c("div",{className:"welcome"},c("p",{textContent:r.welcome}));return n.append(...xt(e,r.starters,t)),n}var $s="M4 5h16v2H4zm0 6h16v2H4zm0 6h16v2H4z",We=class{constructor(e,t,n){this.conversation=e;this.texts=t;this.tell=n;this.composer=new ke(t,{ask:o=>this.ask(o),stop:()=>this.conversation.stop()}),this.turns=c("ol",{className:"turns",role:"log","aria-label":t.answers}),this.welcome=this.welcoming(),this.connection=new ve(t,()=>e.retry()),this.earlier=c("button",{type:"button",className:"earlier",textContent:t.earlier,hidden:!0}),this.earlier.onclick=()=>{e.readEarlier()};let i=c("div",{className:"scroll"},this.welcome,this.earlier,this.turns);this.following=new we(i,this.turns,t),new IntersectionObserver(([o])=>o?.isIntersecting&&this.earlier.click(),{root:i}).observe(this.earlier);let{sessions:a}=t;this.list=c("button",{type:"button",className:"icon",title:a,"aria-label":a}),this.list.append(C($s)),this.list.onclick=()=>{this.sources.close(),this.sessions.open(this.list)},this.node=c("div",{className:"panel",part:"panel"}),this.node.append(this.head(),this.connection.node,i,this.following.button,this.composer.node),this.sessions=new Ie(this.node,t,e),this.sources=new qe(this.node,t,n,e),e.listen(this);for(let o of e.turns.values())this.turnAdded(o);this.showEarlier(),this.showConnection()}conversation;texts;tell;node;composer;connection;turns;welcome;following;earlier;sources;sessions;list;views=new Map;ask(e){let t=this.conversation.ask(e);return this.tell("question",{query:e}),this.following.toEnd(),t}connectionChanged(){this.showConnection();for(let{id:i}of this.conversation.turns.waiting)this.views.get(i)?.changed();let{connectionState:e,closeCode:t}=this.conversation,{message:n}=this.connection;e==="ready"&&this.tell("ready",{}),e==="refused"&&this.tell("error",{code:t??0,message:n})}configured(){let e=this.welcoming();e.hidden=this.welcome.hidden,this.welcome.replaceWith(e),this.welcome=e;for(let t of this.views.values())t.changed()}turnAdded(e){this.turns.append(this.viewOf(e).node),this.welcome.hidden=!0,this.refresh(),this.following.grown()}earlierAdded(e){let t=this.turns.firstElementChild,n=()=>{this.turns.prepend(...e.map(i=>this.viewOf(i).node)),this.showEarlier()};t instanceof HTMLElement?this.following.keep(t,n):n(),this.welcome.hidden||=e.length>0,this.refresh()}turnChanged(e){this.views.get(e.id)?.changed(),this.following.grown(),this.refresh(),this.tellEnd(e)}turnRemoved(e){this.views.get(e.id)?.node.remove(),this.views.delete(e.id),this.refresh()}emptied(){this.sources.close(),this.views.clear(),this.turns.replaceChildren(),this.welcome.hidden=!1,this.showEarlier(),this.refresh(),this.composer.focus()}tellEnd({query:e,answer:t}){let{name:n,text:i,state:s,skippedReasons:a}=t;if(!(s!=="SUCCEEDED"&&s!=="FAILED")){for(let{id:o}of this.conversation.turns.running)this.views.get(o)?.changed();this.tell("answer",{query:e,name:n,text:i,state:s,refused:a.length>0})}}get draft(){return this.composer.draft}set draft(e){this.composer.draft=e}turnActions(){let{conversation:e,sources:t,composer:n,tell:i}=this;return{sources:t,get config(){return e.config},ask:s=>this.ask(s),waitsFor:s=>e.waitsFor(s),takeBack:s=>{e.takeBack(s),n.draft||=s.query,n.focus()},edit:s=>{n.draft=s,n.focus()},rate:(s,a)=>{let{isHelpful:o,reasons:l,comment:u}=a;return i("feedback",{answer:s.answer.name,helpful:o,reasons:l,comment:u}),e.rate(s,a)},handover:(s,a)=>i("handover",{query:s,contact:a})}}welcoming(){return En(this.texts,this.conversation.config,e=>this.ask(e))}head(){let e=c("button",{type:"button",textContent:this.texts.newSession});return e.onclick=()=>this.conversation.startNew(),c("header",{},c("h2",{textContent:this.texts.title}),this.list,e)}showConnection(){let{connectionState:e,closeCode:t}=this.conversation;this.connection.show(e,t),this.list.hidden=!this.conversation.sessions}showEarlier(){this.earlier.hidden=!this.conversation.hasEarlier}viewOf(e){let t=new Ue(e,this.texts,this.turnActions());return this.views.set(e.id,t),t}refresh(){this.composer.answering(this.conversation.isAnswering)}};var Ds="projects/colloquy/locations/global/collections/default_collection/dataStores/guide/servingConfigs/default_config",je=class extends HTMLElement{static observedAttributes=["endpoint","serving-config","form","heading","placeholder","lang"];tokenProvider;conversation;panel;launcher;context={};ownTexts={};constructor(){super(),this.attachShadow({mode:"open"}).adoptedStyleSheets=[et,Qe]}connectedCallback(){this.panel||this.build(),addEventListener("hashchange",this.takeLinked),this.takeLinked()}disconnectedCallback(){removeEventListener("hashchange",this.takeLinked),setTimeout(()=>{this.isConnected||this.end()})}attributeChangedCallback(e,t,n){!this.panel||t===n||((e==="endpoint"||e==="serving-config")&&this.end(),this.isConnected&&this.build())}get texts(){return this.ownTexts}set texts(e){this.ownTexts={...e},this.panel&&this.isConnected&&this.build()}open(){this.launcher?.open()}close(){this.launcher?.close()}ask(e){let t=e.trim();t&&(this.open(),this.panel?.ask(t))}setContext(e){this.context={...e},this.conversation&&(this.conversation.context=this.context)}takeLinked=()=>{let e=wt();!e||!this.panel||(this.panel.draft=e,this.open())};newSession(){this.conversation?.startNew()}build(){this.conversation??=new xe(this.place(),()=>this.tokenProvider),this.conversation.context=this.context;let{code:e,direction:t,texts:n}=this.language(),{draft:i=""}=this.panel??{},s=this.launcher?.isOpen;this.panel=new We(this.conversation,n,(o,l)=>this.tell(o,l)),this.panel.draft=i,this.launcher=this.getAttribute("form")==="launcher"?new be(n,this.panel.node):void 0;let{node:a}=this.launcher??this.panel;a.lang=e,a.dir=t,this.shadowRoot?.replaceChildren(a),s&&this.launcher?.open()}place(){let e=new URL(this.getAttribute("endpoint")??"/v1/ws",import.meta.url);return e.protocol=e.protocol.replace(/^http/,"ws"),{socket:e.href,servingConfig:this.getAttribute("serving-config")??Ds}}language(){let e=document.documentElement.lang,t=[this.lang,e,...navigator.languages].filter(Boolean),n=Gt(t),{texts:i}=n,s=this.getAttribute("heading")??i.title,a=this.getAttribute("placeholder")??i.placeholder;return{...n,texts:{...i,title:s,placeholder:a,...this.ownTexts}}}end(){this.conversation?.close(),this.conversation=this.panel=this.launcher=void 0,this.shadowRoot?.replaceChildren()}tell(e,t){e==="answer"&&this.launcher?.markUnread();let n=new CustomEvent(e,{detail:t});this.dispatchEvent(n)}};customElements.get("colloquy-chat")||customElements.define("colloquy-chat",je);for(let r of document.querySelectorAll('script[type="module"][data-form]')){if(r.src!==import.meta.url)continue;let e=document.createElement("colloquy-chat");for(let{name:t,value:n}of r.attributes)t.startsWith("data-")&&e.setAttribute(t.slice(5),n);document.body.append(e)}export{je as ColloquyChat};
/*! marked: (c) 2018-2026 MarkedJS, (c) 2011-2018 Christopher Jeffrey. MIT License */
