// SPDX-License-Identifier: Apache-2.0 AND MPL-2.0
// From the public suffix list, version 2026-10-22_08-36-41_UTC. This Source Code Form is
// subject to the terms of the Mozilla Public License, v. 2.0: https://mozilla.org/MPL/2.0/.
// Written by Scripts/public-suffixes; do not edit.

extension PublicSuffixRules {
    static let part5 = """
        xn--unup4y xn--uuwu58a.jp xn--vads-jra.no xn--valle-aoste-ebb.it xn--valle-d-aoste-ehb.it
        xn--valleaoste-e7a.it xn--valledaoste-ebb.it xn--vard-jra.no xn--vegrshei-c0a.no
        xn--vermgensberater-ctb xn--vermgensberatung-pwb xn--vestvgy-ixa6o.no xn--vg-yiab.no
        xn--vgan-qoa.no xn--vgsy-qoa0j.no xn--vgu402c.jp xn--vhquv xn--vler-qoa.hedmark.no
        xn--vler-qoa.xn--stfold-9xa.no xn--vre-eiker-k8a.no xn--vrggt-xqad.no xn--vry-yla5g.no
        xn--vuq861b xn--w4r85el8fhu5dnra xn--w4rs40l xn--wcvs22d.hk xn--wcvs22d.xn--j6w193g
        xn--wgbh1c xn--wgbl6a xn--xhq521b xn--xkc2al3hye2a xn--xkc2dl3a5ee0h xn--y9a3aq
        xn--yer-zna.no xn--yfro4i67o xn--ygarden-p1a.no xn--ygbi2ammx xn--ystre-slidre-ujb.no
        xn--zbx025d.jp xn--zf0avx.hk xn--zfr164b xs4all.space xtooldevice.com xx.kg xxx xxx.ec xyz
        xyz.br xz.cn y.bg y.se yabu.hyogo.jp yabuki.fukushima.jp yachimata.chiba.jp yachiyo.chiba.jp
        yachiyo.ibaraki.jp yachts yaese.okinawa.jp yahaba.iwate.jp yahiko.niigata.jp yahoo
        yaita.tochigi.jp yaizu.shizuoka.jp yakage.okayama.jp yakumo.hokkaido.jp yakumo.shimane.jp
        yali.mythic-beasts.com yalta.ua yamada.fukuoka.jp yamada.iwate.jp yamada.toyama.jp
        yamaga.kumamoto.jp yamagata.gifu.jp yamagata.ibaraki.jp yamagata.jp yamagata.nagano.jp
        yamagata.yamagata.jp yamaguchi.jp yamakita.kanagawa.jp yamamoto.miyagi.jp
        yamanakako.yamanashi.jp yamanashi.jp yamanashi.yamanashi.jp yamanobe.yamagata.jp
        yamanouchi.nagano.jp yamashina.kyoto.jp yamato.fukushima.jp yamato.kanagawa.jp
        yamato.kumamoto.jp yamatokoriyama.nara.jp yamatotakada.nara.jp yamatsuri.fukushima.jp
        yamaxun yamazoe.nara.jp yame.fukuoka.jp yanagawa.fukuoka.jp yanaizu.fukushima.jp yandex
        yandexcloud.net yao.osaka.jp yaotsu.gifu.jp yarrow-point.wa.us yasaka.nagano.jp
        yashio.saitama.jp yashiro.hyogo.jp yasu.shiga.jp yasuda.kochi.jp yasugi.shimane.jp
        yasuoka.nagano.jp yatomi.aichi.jp yatsuka.shimane.jp yatsushiro.kumamoto.jp
        yawara.ibaraki.jp yawata.kyoto.jp yawatahama.ehime.jp yazu.tottori.jp ye yenbai.vn yicp.fun
        yk.ca yn.cn ynh.fr yodobashi yoga yoichi.hokkaido.jp yoita.niigata.jp yoka.hyogo.jp
        yokaichiba.chiba.jp yokawa.hyogo.jp yokkaichi.mie.jp yokohama yokoshibahikari.chiba.jp
        yokosuka.kanagawa.jp yokote.akita.jp yokoze.saitama.jp yolasite.com yomitan.okinawa.jp
        yonabaru.okinawa.jp yonago.tottori.jp yonaguni.okinawa.jp yonezawa.yamagata.jp
        yono.saitama.jp yorii.saitama.jp yoro.gifu.jp yoshida.saitama.jp yoshida.shizuoka.jp
        yoshikawa.saitama.jp yoshimi.saitama.jp yoshino.nara.jp yoshinogari.saga.jp
        yoshioka.gunma.jp yotsukaido.chiba.jp you you2.pl youtube yt yuasa.wakayama.jp yufu.oita.jp
        yugawa.fukushima.jp yugawara.kanagawa.jp yuki.ibaraki.jp yukuhashi.fukuoka.jp yun
        yura.wakayama.jp yurihonjo.akita.jp yusuhara.kochi.jp yusui.kagoshima.jp yuu.yamaguchi.jp
        yuza.yamagata.jp yuzawa.niigata.jp z.bg z.se za.bz za.com za.net za.org zabc.net
        zachpomor.pl zagan.pl zakarpattia.ua zakopane.pl zama.kanagawa.jp zamami.okinawa.jp
        zao.miyagi.jp zap.cloud zaporizhzhe.ua zaporizhzhia.ua zappos zapto.org zara zarow.pl
        zeabur.app zentsuji.kagawa.jp zero zgierz.pl zgora.pl zgorzelec.pl zhitomir.ua zhytomyr.ua
        zicp.fun zip zj.cn zlg.br zm zombie.jp zone zone.id zp.gov.pl zp.ua zpisdn.gov.pl zt.ua
        zuerich zushi.kanagawa.jp zw
        """
}
